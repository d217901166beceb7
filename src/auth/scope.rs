//! Lists of scopes: words with spaces between them, whose order means nothing and is kept.

/// The words of a list.
pub(super) fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

/// What is in either of them.
pub(super) fn union(mut known: Vec<String>, more: &[String]) -> Vec<String> {
    for scope in more {
        if !known.contains(scope) {
            known.push(scope.clone());
        }
    }
    known
}

/// The scopes of a first login: what the user says, else the challenge, else all that the resource knows, else none. A
/// token to stay logged in with is asked for where the authorization server has it.
pub(super) fn initial(
    user: Option<&str>,
    challenged: Option<&str>,
    resource: &[String],
    of_server: &[String],
    is_for_a_person: bool,
) -> Vec<String> {
    if let Some(user) = user {
        return words(user);
    }
    let mut scopes = challenged.map_or_else(|| resource.to_vec(), words);
    let offline = "offline_access".to_owned();
    let has_offline = of_server.contains(&offline);
    // Alone it would narrow what the server gives by default.
    if is_for_a_person && has_offline && !scopes.is_empty() {
        scopes = union(scopes, &[offline]);
    } else if !has_offline {
        scopes.retain(|scope| *scope != offline);
    }
    scopes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_to_the_request_says_which_scopes() {
        let list = |text: &str| words(text);
        let rows = [
            (Some("u"), Some("c"), "r", "offline_access", true, "u"),
            (None, Some("c d"), "r", "", true, "c d"),
            (None, None, "r s", "", true, "r s"),
            (None, None, "", "offline_access", true, ""),
            (None, Some("c"), "", "offline_access", true, "c offline_access"),
            (None, Some("c"), "", "offline_access", false, "c"),
            (None, None, "r offline_access", "r", true, "r"),
        ];
        for (user, challenged, resource, server, person, expected) in rows {
            let got = initial(user, challenged, &list(resource), &list(server), person);
            assert_eq!(got, list(expected), "{user:?} {challenged:?} {resource} {server}");
        }
        assert_eq!(union(list("a b"), &list("b c")), list("a b c"));
    }
}
