//! `${NAME}` in the strings of an answer file, from the environment.

use super::mistake::{Part, Wrong};
use super::place::step;
use serde_json::Value;

/// Looks up a variable.
pub(crate) type Env<'a> = dyn Fn(&str) -> Option<String> + 'a;

/// Expands every string of a value in place; a variable that is not set is a mistake.
pub(super) fn expand(value: &mut Value, pointer: &str, env: &Env<'_>, wrongs: &mut Vec<Wrong>) {
    match value {
        Value::String(text) => match expand_text(text, env) {
            Ok(expanded) => *text = expanded,
            Err(why) => wrongs.push(Wrong { path: pointer.to_owned(), part: Part::Value, why }),
        },
        Value::Array(items) => {
            let items = items.iter_mut().enumerate();
            items.for_each(|(at, item)| expand(item, &format!("{pointer}/{at}"), env, wrongs));
        }
        Value::Object(object) => {
            let pairs = object.iter_mut();
            pairs.for_each(|(key, item)| expand(item, &format!("{pointer}{}", step(key)), env, wrongs));
        }
        _ => {}
    }
}

/// `$${` is a literal `${`.
fn expand_text(text: &str, env: &Env<'_>) -> Result<String, String> {
    let (mut expanded, mut rest) = (String::new(), text);
    while let Some(start) = rest.find("${") {
        if rest[..start].ends_with('$') {
            expanded.push_str(&rest[..start]);
            expanded.push('{');
            rest = &rest[start + 2..];
            continue;
        }
        let Some(length) = rest[start + 2..].find('}') else { break };
        let name = &rest[start + 2..start + 2 + length];
        expanded.push_str(&rest[..start]);
        expanded.push_str(&env(name).ok_or_else(|| format!("${{{name}}} is not set in the environment"))?);
        rest = &rest[start + 3 + length..];
    }
    Ok(expanded + rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn environment_is_expanded_and_can_be_escaped() {
        let env = |name: &str| (name == "A").then(|| "1".to_owned());
        for (text, expanded) in [("${A}${A}", "11"), ("x$${A}", "x${A}"), ("$A ${", "$A ${"), ("", "")] {
            assert_eq!(expand_text(text, &env).unwrap(), expanded);
        }
    }
}
