//! Configuration files of editors.

use crate::context::Context;
use crate::target::Target;
use crate::target::config::input::Given;
use crate::target::config::{Named, find_in};
use std::path::PathBuf;

/// A server is found, or a line says why not.
pub(super) fn check(data: &[u8]) {
    // Another file may be any file, one without end too.
    let Some(text) = std::str::from_utf8(data).ok().filter(|text| !text.contains("envFile") && !text.contains("\\u"))
    else {
        return;
    };
    let env = [("HOME", "/nowhere"), ("A", "value of a")].map(|(name, value)| (name.to_owned(), value.to_owned()));
    let context = Context { env: env.into_iter().collect(), ..Context::default() };
    let given = Given::read(&["key=value".to_owned()]).expect("a flag as it should be");
    for server in [None, Some(("a", "--server"))] {
        let named = Named::new(PathBuf::from("/nowhere/mcp.json"), server);
        let found =
            find_in(text, named, &given, &context, &|_, _, inputs| Ok(vec!["said".into(); inputs.len()]), &|_| Ok(()));
        match found {
            Err(failure) => assert!(!failure.message.is_empty()),
            Ok(found) => {
                if let Target::Url { url, .. } = found.target {
                    assert!(url.to_ascii_lowercase().starts_with("http") && url.contains("://"), "{url}");
                }
            }
        }
    }
}
