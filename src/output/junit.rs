//! A JUnit report, as CI systems read it: one suite, and cases that passed, failed or were not tried. Our own few lines,
//! since `quick-junit` would bring dates, UUIDs and an XML library for what is three kinds of element.

use crate::files::Draft;
use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::time::Duration;

/// One case.
#[derive(Debug, Clone)]
pub(crate) struct Case {
    /// What it is part of.
    pub(crate) class: String,
    /// What is tried.
    pub(crate) name: String,
    /// How long it took, where that is known.
    pub(crate) time: Option<Duration>,
    /// What came of it.
    pub(crate) outcome: Outcome,
}

/// What came of a case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Outcome {
    Passed,
    /// Something was not as expected: one line, and more below it.
    Failed(String, String),
    /// It could not be tried to its end.
    Broken(String, String),
    /// It was not tried; why not.
    Skipped(String),
}

/// A report that is being made.
#[derive(Debug)]
pub(crate) struct Report(Draft);

impl Report {
    /// Begins a report.
    ///
    /// # Errors
    /// When there is no writing there.
    pub(crate) fn begin(path: &Path) -> std::io::Result<Self> {
        Draft::begin(path).map(Report)
    }

    /// Ends it; `suite` is what the cases are of.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn end(mut self, suite: &str, cases: &[Case]) -> std::io::Result<()> {
        self.0.write_all(xml(suite, cases).as_bytes())?;
        self.0.keep()
    }
}

/// The report as text.
fn xml(suite: &str, cases: &[Case]) -> String {
    let count = |of: fn(&Outcome) -> bool| cases.iter().filter(|case| of(&case.outcome)).count();
    let counts = format!(
        "tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{}\"",
        cases.len(),
        count(|outcome| matches!(outcome, Outcome::Failed(..))),
        count(|outcome| matches!(outcome, Outcome::Broken(..))),
        count(|outcome| matches!(outcome, Outcome::Skipped(_))),
        seconds(cases.iter().filter_map(|case| case.time).sum()),
    );
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let suite = escape(suite);
    let _ = writeln!(xml, "<testsuites name=\"{suite}\" {counts}>\n  <testsuite name=\"{suite}\" {counts}>");
    for case in cases {
        let time = case.time.map_or_else(String::new, |time| format!(" time=\"{}\"", seconds(time)));
        let _ =
            write!(xml, "    <testcase classname=\"{}\" name=\"{}\"{time}", escape(&case.class), escape(&case.name));
        let _ = match &case.outcome {
            Outcome::Passed => writeln!(xml, "/>"),
            Outcome::Failed(message, text) => below(&mut xml, "failure", message, text),
            Outcome::Broken(message, text) => below(&mut xml, "error", message, text),
            Outcome::Skipped(why) => below(&mut xml, "skipped", why, ""),
        };
    }
    xml.push_str("  </testsuite>\n</testsuites>\n");
    xml
}

fn below(xml: &mut String, element: &str, message: &str, text: &str) -> std::fmt::Result {
    let message = escape(message);
    writeln!(xml, ">\n      <{element} message=\"{message}\">{}</{element}>\n    </testcase>", escape(text))
}

fn seconds(time: Duration) -> String {
    format!("{:.3}", time.as_secs_f64())
}

/// Text for XML 1.0, which has no way at all to write most control characters: they are left out.
fn escape(text: &str) -> Cow<'_, str> {
    let is_plain = |c: char| !matches!(c, '&' | '<' | '>' | '"' | '\'' | '\u{fffe}' | '\u{ffff}') && !c.is_control();
    if text.chars().all(is_plain) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&apos;"),
            // As they are, a reader makes blanks of them in attributes.
            '\n' => escaped.push_str("&#10;"),
            '\t' => escaped.push_str("&#9;"),
            c if is_plain(c) => escaped.push(c),
            _ => {}
        }
    }
    Cow::Owned(escaped)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(name: &str, outcome: Outcome) -> Case {
        Case { class: "t".into(), name: name.into(), time: None, outcome }
    }

    #[test]
    fn a_report_has_a_case_each() {
        let mut cases = vec![
            case("call", Outcome::Passed),
            case("rounds: 2", Outcome::Failed("expected 2, was 1".into(), "more\nof <it>".into())),
            case("b", Outcome::Broken("the server left".into(), String::new())),
            case("c", Outcome::Skipped("the call did not end".into())),
        ];
        cases[0].time = Some(Duration::from_millis(1234));
        let counts = r#"tests="4" failures="1" errors="1" skipped="1" time="1.234""#;
        let expected = format!(
            r#"<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="mcpcall" {counts}>
  <testsuite name="mcpcall" {counts}>
    <testcase classname="t" name="call" time="1.234"/>
    <testcase classname="t" name="rounds: 2">
      <failure message="expected 2, was 1">more&#10;of &lt;it&gt;</failure>
    </testcase>
    <testcase classname="t" name="b">
      <error message="the server left"></error>
    </testcase>
    <testcase classname="t" name="c">
      <skipped message="the call did not end"></skipped>
    </testcase>
  </testsuite>
</testsuites>
"#
        );
        assert_eq!(xml("mcpcall", &cases), expected);
    }

    #[test]
    fn what_xml_cannot_hold_is_escaped_or_left_out() {
        for (text, escaped) in [
            ("plain é \u{1f600}", "plain é \u{1f600}"),
            ("<a b=\"c\" d='e'>&amp;]]>", "&lt;a b=&quot;c&quot; d=&apos;e&apos;&gt;&amp;amp;]]&gt;"),
            ("\u{0}\u{1b}[31mred\u{7f}\u{85}\u{fffe}\u{ffff}\r", "[31mred"),
            ("a\n\tb", "a&#10;&#9;b"),
        ] {
            assert_eq!(escape(text), escaped);
        }
    }

    #[test]
    fn the_file_is_replaced_once_the_report_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("r.xml");
        std::fs::write(&path, "old").unwrap();
        let report = Report::begin(&path).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "old");
        report.end("mcpcall", &[case("call", Outcome::Passed)]).unwrap();
        assert!(std::fs::read_to_string(&path).unwrap().starts_with("<?xml"));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        assert!(Report::begin(&folder.path().join("none/r.xml")).is_err());
        // Not a file to be put in its place: the device is written to.
        Report::begin(Path::new("/dev/null")).unwrap().end("mcpcall", &[]).unwrap();
        assert!(!std::fs::metadata("/dev/null").unwrap().is_file());
    }
}
