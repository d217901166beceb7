//! `WWW-Authenticate`.

use super::dice::Dice;
use crate::auth::challenge::Challenges;

/// What is put as the standard has it is read as it was meant, and nothing else is trusted.
pub(super) fn check(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let headers =
        |lines: &[&str]| lines.iter().map(|line| ("WWW-Authenticate".to_owned(), (*line).to_owned())).collect();
    let lines: Vec<&str> = text.split('\n').collect();
    let found = Challenges::of(&headers(&lines));
    for name in ["scope", "resource_metadata", "error", "error_description", "realm", "nonce", ""] {
        let value = found.get(name);
        assert!(value.is_none_or(|value| text.len() >= value.len()));
    }
    assert!(found.scope().is_none_or(|scope| !scope.trim().is_empty()));
    let is_named = |name: &str| text.to_ascii_lowercase().contains(name);
    assert!(!found.wants_dpop() || is_named("dpop"));

    let mut dice = Dice(data);
    let scheme = dice.pick(&["Bearer", "DPoP", "bearer", "BEARER"]);
    let value = dice.text().replace(|c: char| c.is_control(), "");
    let quoted = format!("\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\""));
    let (blank, comma) = (dice.pick(&["", " ", "\t"]), dice.pick(&[",", ", ", " ,", ",,"]));
    let before =
        dice.pick(&["", "Basic realm=\"a, b\", ", "Negotiate, ", "Basic YWJj==, ", "Digest a=b, c=\"\\\"\", "]);
    let line = format!("{before}{scheme} realm=x{comma}Scope{blank}={blank}{quoted}{comma}error=e");
    let found = Challenges::of(&headers(&[&line]));
    assert_eq!((found.get("scope"), found.get("error")), (Some(value.as_str()), Some("e")), "{line}");
    assert_eq!(found.wants_dpop(), scheme == "DPoP", "{line}");
}
