//! As much JSON as the server needs: the text of a member of an object, found without reading the rest into values.

/// The text of the member `key` of the object `object`.
pub fn member<'a>(object: &'a str, key: &str) -> Option<&'a str> {
    let bytes = object.as_bytes();
    let mut at = blank(bytes, 0);
    if bytes.get(at) != Some(&b'{') {
        return None;
    }
    at += 1;
    loop {
        at = blank(bytes, at);
        if bytes.get(at) != Some(&b'"') {
            return None;
        }
        let name = at;
        at = value(bytes, at)?;
        let found = &object[name + 1..at - 1] == key;
        at = blank(bytes, at);
        if bytes.get(at) != Some(&b':') {
            return None;
        }
        let start = blank(bytes, at + 1);
        at = value(bytes, start)?;
        if found {
            return Some(&object[start..at]);
        }
        at = blank(bytes, at);
        if bytes.get(at) != Some(&b',') {
            return None;
        }
        at += 1;
    }
}

/// The member at the end of a path.
pub fn at<'a>(object: &'a str, path: &[&str]) -> Option<&'a str> {
    path.iter().try_fold(object, |object, key| member(object, key))
}

fn blank(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).is_some_and(u8::is_ascii_whitespace) {
        at += 1;
    }
    at
}

/// Where the value that begins at `at` ends.
fn value(bytes: &[u8], mut at: usize) -> Option<usize> {
    match bytes.get(at)? {
        b'"' => string(bytes, at),
        b'{' | b'[' => {
            let mut depth = 0;
            loop {
                match bytes.get(at)? {
                    b'"' => {
                        at = string(bytes, at)?;
                        continue;
                    }
                    b'{' | b'[' => depth += 1,
                    b'}' | b']' => depth -= 1,
                    _ => {}
                }
                at += 1;
                if depth == 0 {
                    return Some(at);
                }
            }
        }
        _ => {
            let end =
                bytes[at..].iter().position(|byte| matches!(byte, b',' | b'}' | b']') || byte.is_ascii_whitespace());
            Some(end.map_or(bytes.len(), |end| at + end))
        }
    }
}

fn string(bytes: &[u8], mut at: usize) -> Option<usize> {
    at += 1;
    loop {
        match bytes.get(at)? {
            b'\\' => at += 2,
            b'"' => return Some(at + 1),
            _ => at += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{at, member};

    #[test]
    fn members_are_slices_of_the_text() {
        let text = r#" { "id" : 7, "a\"}": "x", "params":{"list":[1,{"}":"]"}],"name":"echo \"}"},"last":null}"#;
        assert_eq!(member(text, "id"), Some("7"));
        assert_eq!(member(text, "last"), Some("null"));
        assert_eq!(at(text, &["params", "name"]), Some(r#""echo \"}""#));
        assert_eq!(at(text, &["params", "list"]), Some(r#"[1,{"}":"]"}]"#));
        assert_eq!(member(text, "name"), None);
        assert_eq!(member("[1]", "id"), None);
    }
}
