//! What is kept, and how.

use super::*;
use std::os::unix::fs::PermissionsExt;

fn login(server: &str, profile: &str, token: &str) -> Login {
    Login {
        server: server.into(),
        profile: profile.into(),
        issuer: "https://as".into(),
        resource: server.into(),
        client_id: "c".into(),
        client_secret: None,
        client_method: Method::None,
        token_endpoint: "https://as/token".into(),
        revocation_endpoint: None,
        token: Secret(token.into()),
        is_dpop: false,
        expires_at: None,
        lasts: None,
        refresh: None,
        scopes: Vec::new(),
        asked: Vec::new(),
        dpop_key: None,
    }
}

#[tokio::test]
async fn logins_are_kept_by_server_and_profile_for_the_owner_alone() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::new(Some(folder.path().join("a/b")));
    assert!(store.login("s", "code").await.unwrap().is_none() && !folder.path().join("a").exists());
    for (server, profile, token) in [("s", "code", "1"), ("t", "code", "2"), ("s", "code", "3"), ("s", "x", "4")] {
        store.update(|book| book.log_in(login(server, profile, token))).await.unwrap();
    }
    assert_eq!(store.login("s", "code").await.unwrap().unwrap().token.0, "3");
    let mode = |name: &str| folder.path().join(name).metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!((mode("a/b"), mode("a/b/auth.json"), mode("a/b/auth.lock")), (0o700, 0o600, 0o600));
    let out = store.update(|book| book.log_out("s", None)).await.unwrap();
    assert_eq!(out.len(), 2);
    assert_eq!(store.logins().unwrap().len(), 1);
    std::fs::write(folder.path().join("a/b/auth.json"), "{\"logins\": [\"t0ken\"").unwrap();
    let failure = store.logins().unwrap_err();
    assert!(failure.message.contains("is damaged at line 1") && !failure.message.contains("t0ken"), "{failure}");
}

#[tokio::test]
async fn writers_wait_for_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::new(Some(folder.path().to_owned()));
    let writers = (0..20).map(|n| {
        let store = store.clone();
        tokio::spawn(async move { store.update(|book| book.log_in(login(&n.to_string(), "code", "t"))).await })
    });
    for writer in writers.collect::<Vec<_>>() {
        writer.await.unwrap().unwrap();
    }
    assert_eq!(store.logins().unwrap().len(), 20);
}

#[test]
fn a_short_life_has_a_short_margin() {
    let now = jws::now();
    for (lasts, left, expected) in [
        (Some(3600), 4, true),
        (Some(3600), 60, false),
        (Some(6), 5, false),
        (Some(6), 2, true),
        (Some(1), 1, false),
        (None, 4, true),
    ] {
        let login = Login { expires_at: Some(now + left), lasts, ..login("s", "code", "t") };
        // A second may pass meanwhile.
        assert!(login.is_over() == expected || jws::now() > now, "{lasts:?} {left}");
    }
    assert!(!login("s", "code", "t").is_over());
}

#[test]
fn scopes_that_were_asked_for_are_not_asked_for_again() {
    let list = |text: &str| super::super::scope::words(text);
    let login = Login { scopes: list("a"), asked: list("a b"), ..login("s", "code", "t") };
    for (scopes, expected) in [("", true), ("a b", true), ("b", true), ("a c", false)] {
        assert_eq!(login.covers(&list(scopes)), expected, "{scopes}");
    }
}

#[tokio::test]
async fn who_guards_a_server_is_remembered_until_a_logout() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::new(Some(folder.path().to_owned()));
    let client = Registered {
        issuer: "https://as".into(),
        client_id: "r".into(),
        client_secret: None,
        method: Method::None,
        redirect_uri: String::new(),
        expires_at: None,
    };
    let fill = |book: &mut Book| {
        book.register(client);
        book.meet("s", "https://as", None);
        book.meet("t", "https://own", Some("mine"));
    };
    store.update(fill).await.unwrap();
    // The login may be over and gone.
    assert_eq!(store.issuer("t", "mine").await.as_deref(), Some("https://own"));
    assert_eq!(store.issuer("s", "mine").await, None);
    assert!(!store.update(|book| book.part("t")).await.unwrap());
    assert_eq!(store.issuer("t", "mine").await, None);
    assert!(store.client("https://as").await.is_some());
    assert!(store.update(|book| book.part("s")).await.unwrap());
    assert!(store.client("https://as").await.is_none());
}

#[tokio::test]
async fn what_is_no_plain_file_is_not_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::new(Some(folder.path().to_owned()));
    let file = folder.path().join("auth.json");
    std::fs::write(&file, "{}").unwrap();
    assert!(store.logins().unwrap().is_empty());
    store.check().await.unwrap();
    std::fs::remove_file(&file).unwrap();
    rustix::fs::mknodat(rustix::fs::CWD, &file, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
    let failure = store.check().await.unwrap_err();
    assert!(failure.message.contains("it is no plain file"), "{failure}");
    std::fs::remove_file(&file).unwrap();
    std::fs::File::create(&file).unwrap().set_len(MAX_BYTES + 1).unwrap();
    assert!(store.logins().unwrap_err().message.contains("it is larger than"));
    let lock = folder.path().join("auth.lock");
    std::fs::remove_file(&lock).unwrap();
    rustix::fs::mknodat(rustix::fs::CWD, &lock, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
    assert!(store.check().await.unwrap_err().message.contains("cannot write to"));
    let nowhere = Store::new(None).check().await.unwrap_err();
    assert!(nowhere.message.contains("there is no folder"), "{nowhere}");
}
