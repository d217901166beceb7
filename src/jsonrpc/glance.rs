//! A quick look at a message, for who may be told of a hundred thousand that nobody wants to see. Only a plain notification
//! is told by it; whatever is not plain, or no JSON, is left to the whole reading (`parse`).

/// A plain notification.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Glance<'a> {
    /// Its method.
    pub(crate) method: &'a str,
    /// The text that the asked-for member of its params says.
    pub(crate) said: Option<&'a str>,
}

/// How deep params may be.
const DEPTH: usize = 32;

/// Looks at a text, and at one member of its params. `None` says nothing about it.
pub(crate) fn glance<'a>(text: &'a str, member: &str) -> Option<Glance<'a>> {
    let mut look = Look { text, at: 0 };
    let (mut version, mut method, mut params) = (None, None, None);
    look.object(|look, key| {
        let place = match key {
            "jsonrpc" => &mut version,
            "method" => &mut method,
            "params" if params.is_none() => {
                let mut said = None;
                look.object(|look, key| match key == member {
                    // Of two members the last would count.
                    true if said.is_some() => None,
                    true => look.plain().map(|text| said = Some(text)),
                    false => look.value(DEPTH),
                })?;
                params = Some(said);
                return Some(());
            }
            _ => return None,
        };
        look.plain().filter(|_| place.is_none()).map(|text| *place = Some(text))
    })?;
    (look.rest().is_empty() && version == Some("2.0")).then_some(())?;
    Some(Glance { method: method?, said: params? })
}

/// A place in a text, and ways on from it; each is `None` where what stands there is not plain.
struct Look<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Look<'a> {
    #[inline(always)]
    fn rest(&mut self) -> &'a [u8] {
        let bytes = self.text.as_bytes();
        while matches!(bytes.get(self.at), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
        &bytes[self.at..]
    }

    /// Steps over a byte, if it is this one.
    #[inline(always)]
    fn takes(&mut self, byte: u8) -> Option<()> {
        (self.rest().first() == Some(&byte)).then(|| self.at += 1)
    }

    /// Goes through an object; `member` steps over the value of each.
    fn object(&mut self, mut member: impl FnMut(&mut Self, &'a str) -> Option<()>) -> Option<()> {
        self.takes(b'{')?;
        if self.takes(b'}').is_some() {
            return Some(());
        }
        loop {
            let key = self.plain()?;
            self.takes(b':')?;
            member(self, key)?;
            if self.takes(b',').is_none() {
                return self.takes(b'}');
            }
        }
    }

    fn value(&mut self, depth: usize) -> Option<()> {
        match *self.rest().first()? {
            b'"' => self.string(),
            b'{' if depth > 0 => self.object(|look, _| look.value(depth - 1)),
            b'[' if depth > 0 => self.array(depth - 1),
            b'-' | b'0'..=b'9' => self.number(),
            _ => ["true", "false", "null"].iter().find_map(|word| self.word(word)),
        }
    }

    fn array(&mut self, depth: usize) -> Option<()> {
        self.takes(b'[')?;
        if self.takes(b']').is_some() {
            return Some(());
        }
        loop {
            self.value(depth)?;
            if self.takes(b',').is_none() {
                return self.takes(b']');
            }
        }
    }

    fn word(&mut self, word: &str) -> Option<()> {
        self.rest().starts_with(word.as_bytes()).then(|| self.at += word.len())
    }

    /// An integer that needs no exponent; what follows it is the caller's to judge.
    fn number(&mut self) -> Option<()> {
        let rest = self.rest();
        let sign = usize::from(rest[0] == b'-');
        let digits = rest[sign..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        self.at += sign + digits;
        (digits == 1 || digits > 1 && rest[sign] != b'0').then_some(())
    }

    /// What a string without escapes says.
    #[inline(always)]
    fn plain(&mut self) -> Option<&'a str> {
        self.takes(b'"')?;
        let start = self.at;
        self.at += clear(&self.text.as_bytes()[start..]);
        let text = self.text.get(start..self.at)?;
        (self.text.as_bytes().get(self.at) == Some(&b'"')).then(|| self.at += 1)?;
        Some(text)
    }

    /// Steps over a string.
    fn string(&mut self) -> Option<()> {
        self.takes(b'"')?;
        let bytes = self.text.as_bytes();
        loop {
            self.at += clear(&bytes[self.at..]);
            match (bytes.get(self.at)?, bytes.get(self.at + 1)?) {
                (b'"', _) => {
                    self.at += 1;
                    return Some(());
                }
                // One with digits may be half of a character.
                (b'\\', b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => self.at += 2,
                _ => return None,
            }
        }
    }
}

/// How many bytes come before a quote, a backslash or a control character; eight are looked at in one go.
fn clear(bytes: &[u8]) -> usize {
    const EACH: u64 = 0x0101_0101_0101_0101;
    // The highest bit of each byte that is less than `limit`, and of some after the first of them.
    let below = |word: u64, limit: u64| word.wrapping_sub(EACH * limit) & !word & (EACH << 7);
    let mut n = 0;
    while let Some(eight) = bytes[n..].first_chunk() {
        let word = u64::from_le_bytes(*eight);
        let found =
            below(word ^ (EACH * u64::from(b'"')), 1) | below(word ^ (EACH * u64::from(b'\\')), 1) | below(word, 0x20);
        if found != 0 {
            return n + found.trailing_zeros() as usize / 8;
        }
        n += 8;
    }
    let ends = |byte: &u8| matches!(byte, b'"' | b'\\' | ..0x20);
    n + bytes[n..].iter().position(ends).unwrap_or(bytes.len() - n)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: &str = r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"on"}}"#;

    #[test]
    fn a_plain_notification_is_told_at_a_glance() {
        let info = Some(Glance { method: "notifications/message", said: Some("info") });
        assert_eq!(glance(PLAIN, "level"), info);
        for data in [
            r#""a \"quoted\" \\ \n text é""#,
            "-7",
            "0",
            "[]",
            "{}",
            r#"[ 1 , {"a" : [true,false, null]} ]"#,
            r#"{"level":"error"}"#,
        ] {
            for blank in ["", " ", "\r\n\t"] {
                let text = format!(
                    r#"{blank}{{"method"{blank}:"notifications/message",{blank}"params":{{"data":{data}{blank},"level":{blank}"info"}},"jsonrpc":"2.0"{blank}}}{blank}"#
                );
                assert_eq!(glance(&text, "level"), info, "{text}");
                assert!(serde_json::from_str::<serde_json::Value>(&text).is_ok());
            }
        }
        assert_eq!(glance(PLAIN, "logger"), Some(Glance { method: "notifications/message", said: None }));
    }

    #[test]
    fn what_ends_a_piece_of_text_is_found_wherever_it_stands() {
        for byte in 0..=255 {
            for length in 0..20 {
                for at in 0..length {
                    let mut text = vec![0xA0_u8; length];
                    text[at] = byte;
                    let ends = byte < 0x20 || byte == b'"' || byte == b'\\';
                    assert_eq!(clear(&text), if ends { at } else { length }, "{byte} at {at} of {length}");
                }
            }
        }
    }

    #[test]
    fn what_is_not_plain_is_not_told() {
        for text in [
            r#"{"jsonrpc":"2.0","id":1,"method":"notifications/message","params":{"level":"info"}}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info"},"result":1}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","level":"error"}}"#,
            r#"{"jsonrpc":"2.0","method":"a","method":"b","params":{}}"#,
            r#"{"jsonrpc":"2.0","method":"a","params":{},"params":{}}"#,
            r#"{"jsonrpc":"2.0","method":"a"}"#,
            r#"{"method":"a","params":{}}"#,
            r#"{"jsonrpc":"2.0","method":"a","params":[]}"#,
            r#"{"jsonrpc":"2.0","method":7,"params":{}}"#,
            r#"{"jsonrpc":"2.0","method":"\u0061","params":{}}"#,
            r#"{"jsonrpc":"2.0","method":"a\n","params":{}}"#,
            r#"{"jsonrpc":"2.0","method":"a","params":{}} x"#,
            "[]",
            "7",
            "",
        ] {
            assert_eq!(glance(text, "level"), None, "{text}");
        }
        for data in ["01", "-", "1.5", "1e9", "tru", "\"\\x\"", "\"\t\"", "[1,]", "{,}", "{\"a\"}", "[1 2]", "1 2", ""]
        {
            let text = format!(r#"{{"jsonrpc":"2.0","method":"a","params":{{"data":{data}}}}}"#);
            assert_eq!(glance(&text, "level"), None, "{text}");
        }
        let deep = format!(r#"{{"jsonrpc":"2.0","method":"a","params":{{"a":{0}1{0}}}}}"#, "[".repeat(100_000));
        assert_eq!(glance(&deep, "level"), None);
        for end in 0..PLAIN.len() {
            assert_eq!(glance(&PLAIN[..end], "level"), None);
        }
    }
}
