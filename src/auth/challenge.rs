//! What a refusal asks for: the challenges of `WWW-Authenticate` (RFC 9110, 6750, 9449, 9728), of which several may
//! stand in one header.

use crate::transport::Headers;

/// One scheme and its parameters, names in lower case.
#[derive(Debug, PartialEq, Eq)]
struct Challenge {
    scheme: String,
    params: Vec<(String, String)>,
}

/// The challenges for a token.
#[derive(Debug, Default)]
pub(crate) struct Challenges(Vec<Challenge>);

impl Challenges {
    /// Those that a token answers: `Bearer` and `DPoP`.
    pub(crate) fn of(headers: &Headers) -> Self {
        let values = headers.iter().filter(|(name, _)| name.eq_ignore_ascii_case("www-authenticate"));
        let all = values.flat_map(|(_, value)| parse(value));
        Challenges(all.filter(|challenge| matches!(challenge.scheme.as_str(), "bearer" | "dpop")).collect())
    }

    /// A parameter of any of them; the first counts.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        let params = self.0.iter().flat_map(|challenge| &challenge.params);
        params.into_iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// The scopes that are asked for.
    pub(crate) fn scope(&self) -> Option<&str> {
        self.get("scope").filter(|scope| !scope.trim().is_empty())
    }

    /// Whether only a token that is bound to a key will do.
    pub(crate) fn wants_dpop(&self) -> bool {
        !self.0.is_empty() && self.0.iter().all(|challenge| challenge.scheme == "dpop")
    }
}

/// Reads one header. What cannot be read is left out.
fn parse(value: &str) -> Vec<Challenge> {
    let mut challenges: Vec<Challenge> = Vec::new();
    for item in split(value) {
        let item = item.trim();
        let end = item.find(|c: char| c.is_whitespace() || c == '=').unwrap_or(item.len());
        let (word, rest) = item.split_at(end);
        let is_param = rest.trim_start().starts_with('=');
        let param = if is_param {
            item
        } else {
            if word.is_empty() {
                continue;
            }
            challenges.push(Challenge { scheme: word.to_ascii_lowercase(), params: Vec::new() });
            rest.trim()
        };
        if let (Some((name, value)), Some(challenge)) = (param.split_once('='), challenges.last_mut()) {
            challenge.params.push((name.trim().to_ascii_lowercase(), unquote(value.trim())));
        }
    }
    challenges
}

/// Splits at commas outside of quotes.
fn split(value: &str) -> Vec<&str> {
    let (mut items, mut start, mut quoted, mut escaped) = (Vec::new(), 0, false, false);
    for (at, c) in value.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            ',' if !quoted => {
                items.push(&value[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    items.push(&value[start..]);
    items
}

fn unquote(value: &str) -> String {
    let Some(inner) = value.strip_prefix('"') else { return value.to_owned() };
    let mut text = String::new();
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        match c {
            '"' => break,
            '\\' => text.extend(chars.next()),
            c => text.push(c),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[&str]) -> Challenges {
        Challenges::of(&values.iter().map(|value| ("WWW-Authenticate".to_owned(), (*value).to_owned())).collect())
    }

    #[test]
    fn challenges_are_read_however_they_are_put() {
        let one = of(&[r#"Bearer realm="a, b\"c", scope="x y" , Resource_Metadata = "https://h/p?a=b,c""#]);
        assert_eq!(one.get("realm"), Some("a, b\"c"));
        assert_eq!((one.scope(), one.get("resource_metadata")), (Some("x y"), Some("https://h/p?a=b,c")));
        let two = of(&["Basic YWJj==, bearer error=insufficient_scope,scope=w", "Negotiate"]);
        assert_eq!((two.get("error"), two.scope(), two.wants_dpop()), (Some("insufficient_scope"), Some("w"), false));
        assert!(of(&[r#"DPoP error="use_dpop_nonce""#]).wants_dpop());
        assert!(!of(&["DPoP algs=ES256, Bearer"]).wants_dpop());
        for odd in ["", ",", "=", "\"", "Bearer scope=\"", "Bearer =x", "Bearer scope=\"\\", "é=è, ü"] {
            let _ = of(&[odd]).get("scope");
        }
        assert!(!of(&[]).wants_dpop());
    }
}
