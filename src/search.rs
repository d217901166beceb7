//! Looks for bytes. Long pieces are `memchr`'s; its first search asks the processor what it can do, which in a virtual machine
//! takes a tenth of a millisecond: longer than to look at all bytes of a small conversation one by one.

/// How long a piece is that is worth asking.
const LONG: usize = 4 << 10;

/// Where this byte stands first.
pub(crate) fn find(byte: u8, bytes: &[u8]) -> Option<usize> {
    match bytes.len() < LONG {
        true => bytes.iter().position(|other| *other == byte),
        false => memchr::memchr(byte, bytes),
    }
}

/// Where the first of these two stands first.
pub(crate) fn find_either(one: u8, other: u8, bytes: &[u8]) -> Option<usize> {
    match bytes.len() < LONG {
        true => bytes.iter().position(|byte| *byte == one || *byte == other),
        false => memchr::memchr2(one, other, bytes),
    }
}

/// Whether a word stands in a text.
pub(crate) fn has(word: &str, text: &str) -> bool {
    match text.len() < LONG {
        true => text.contains(word),
        false => memchr::memmem::find(text.as_bytes(), word.as_bytes()).is_some(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_and_long_pieces_are_searched_alike() {
        for length in [0, 1, 7, LONG - 1, LONG, 2 * LONG] {
            let mut bytes = vec![b'a'; length];
            assert_eq!((find(b'"', &bytes), find_either(b'"', b'\\', &bytes)), (None, None));
            assert!(!has("ab", &"a".repeat(length)) && has("ab", &("a".repeat(length) + "b")) == (length > 0));
            if length > 0 {
                bytes[length - 1] = b'\\';
                bytes[length / 2] = b'"';
                assert_eq!(find(b'"', &bytes), Some(length / 2));
                assert_eq!(find_either(b'\\', b'"', &bytes), Some(length / 2));
                assert_eq!(find(b'\\', &bytes), (length > 1).then_some(length - 1));
            }
        }
    }
}
