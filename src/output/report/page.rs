//! The page around the records. Its policy lets it fetch nothing and run only its own script, which it names by hash.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ring::digest::{SHA256, digest};

const HTML: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");
/// Where the records go, and what came of the run.
const RECORDS: &str = "{{records}}";
const END: &str = "{{end}}";

/// The page as far as the records.
pub(super) fn head() -> String {
    let policy = format!(
        "default-src 'none'; script-src '{}'; style-src '{}'; base-uri 'none'; form-action 'none'",
        hash(SCRIPT),
        hash(STYLE)
    );
    parts().0.replace("{{policy}}", &policy).replace("{{style}}", STYLE)
}

/// The page from the records on.
pub(super) fn foot(end: &str) -> String {
    let (before, after) = parts().1.split_once(END).unwrap_or_default();
    format!("{before}{end}{}", after.replace("{{script}}", SCRIPT))
}

fn parts() -> (&'static str, &'static str) {
    HTML.split_once(RECORDS).unwrap_or_default()
}

/// As a policy names it.
fn hash(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(digest(&SHA256, text.as_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_template_has_its_places_and_asks_for_nothing() {
        let page = format!("{}{}", head(), foot("{}"));
        assert!(!page.contains("{{") && page.contains(STYLE) && page.contains(SCRIPT), "{page}");
        for part in [HTML, STYLE, SCRIPT] {
            for word in ["http://", "https://", "url(", "@import", "src=", "href=", "innerHTML", "outerHTML", "fetch("]
            {
                assert!(!part.contains(word), "{word}");
            }
        }
        assert!(!SCRIPT.contains("</script") && !STYLE.contains("</style"));
    }
}
