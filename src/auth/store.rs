//! What is kept between runs: tokens, each bound to the server and the issuer it is for, and the clients that were
//! registered. One file that only its owner can read, written whole under a lock.

use super::client::{Client, Method};
use super::{Secret, jws, refuse};
use crate::failure::Result;
use crate::files;
use rustix::fs::{FlockOperation, flock};
use serde::{Deserialize, Serialize};
use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long another process may hold the lock: it may be asking for a token.
const PATIENCE: Duration = Duration::from_secs(30);

/// A login at one server.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Login {
    /// The server's address as the user writes it.
    pub(crate) server: String,
    /// How it was logged in: as a person (`code`), or as which program.
    pub(crate) profile: String,
    /// Who gave the token.
    pub(crate) issuer: String,
    /// What the token is for.
    pub(crate) resource: String,
    /// Whom it was given to.
    pub(crate) client_id: String,
    pub(super) client_secret: Option<Secret>,
    pub(super) client_method: Method,
    pub(super) token_endpoint: String,
    pub(super) revocation_endpoint: Option<String>,
    pub(super) token: Secret,
    pub(super) is_dpop: bool,
    /// Seconds since 1970.
    pub(crate) expires_at: Option<u64>,
    pub(super) refresh: Option<Secret>,
    /// What it allows.
    pub(crate) scopes: Vec<String>,
    /// The key it is bound to, in PKCS#8 form.
    pub(super) dpop_key: Option<Secret>,
}

impl Login {
    /// Whether its time is over, or about to be.
    pub(crate) fn is_over(&self) -> bool {
        self.expires_at.is_some_and(|at| at <= jws::now() + 5)
    }

    /// How long its token lasts.
    pub(crate) fn seconds_left(&self) -> Option<u64> {
        self.expires_at.map(|at| at.saturating_sub(jws::now()))
    }

    /// Whether it can be made to last without asking anybody.
    pub(crate) fn renews(&self) -> bool {
        self.refresh.is_some()
    }

    /// Whether its token is of no use without a key.
    pub(crate) fn is_bound(&self) -> bool {
        self.is_dpop
    }

    pub(super) fn client(&self) -> Client {
        Client { id: self.client_id.clone(), secret: self.client_secret.clone(), method: self.client_method }
    }
}

/// A client that was registered on the spot.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Registered {
    pub(super) issuer: String,
    pub(super) client_id: String,
    pub(super) client_secret: Option<Secret>,
    pub(super) method: Method,
    pub(super) redirect_uri: String,
    /// When its secret is of no use any more.
    pub(super) expires_at: Option<u64>,
}

impl Registered {
    pub(super) fn client(&self) -> Client {
        Client { id: self.client_id.clone(), secret: self.client_secret.clone(), method: self.method }
    }
}

/// The content of the file.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Book {
    logins: Vec<Login>,
    clients: Vec<Registered>,
}

impl Book {
    /// Puts a login in the place of the one before it.
    pub(super) fn log_in(&mut self, login: Login) {
        self.log_out(&login.server, Some(&login.profile));
        self.logins.push(login);
    }

    /// Takes logins out and gives them back.
    pub(super) fn log_out(&mut self, server: &str, profile: Option<&str>) -> Vec<Login> {
        let is_meant = |login: &Login| login.server == server && profile.is_none_or(|profile| login.profile == profile);
        let (out, kept) = std::mem::take(&mut self.logins).into_iter().partition(is_meant);
        self.logins = kept;
        out
    }

    /// Puts a client in the place of the one before it.
    pub(super) fn register(&mut self, client: Registered) {
        self.forget(&client.issuer);
        self.clients.push(client);
    }

    /// Takes the client of an issuer out.
    pub(super) fn forget(&mut self, issuer: &str) {
        self.clients.retain(|client| client.issuer != issuer);
    }
}

/// Where it is kept.
#[derive(Debug, Clone)]
pub(crate) struct Store {
    /// `None`: nowhere.
    folder: Option<PathBuf>,
}

impl Store {
    /// A store in this folder, which need not be there yet.
    pub(crate) fn new(folder: Option<PathBuf>) -> Self {
        Store { folder }
    }

    fn file(&self) -> Option<PathBuf> {
        Some(self.folder.as_ref()?.join("auth.json"))
    }

    fn read(&self) -> Result<Book> {
        let Some(file) = self.file() else { return Ok(Book::default()) };
        let text = match std::fs::read_to_string(&file) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Book::default()),
            Err(error) => return Err(refuse(format!("cannot read {}: {error}", file.display()))),
        };
        serde_json::from_str(&text).map_err(|error| {
            // Not what stands there, which is secret.
            let at = format!("line {}, column {}", error.line(), error.column());
            refuse(format!("{} is damaged at {at}", file.display())).hint("delete it, and log in again")
        })
    }

    /// All logins.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub(crate) fn logins(&self) -> Result<Vec<Login>> {
        Ok(self.read()?.logins)
    }

    /// The login of a server.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub(super) fn login(&self, server: &str, profile: &str) -> Result<Option<Login>> {
        let logins = self.logins()?;
        Ok(logins.into_iter().find(|login| login.server == server && login.profile == profile))
    }

    /// The client that was registered with an issuer, if it is still one.
    pub(super) fn client(&self, issuer: &str) -> Option<Registered> {
        let clients = self.read().ok()?.clients;
        clients.into_iter().find(|known| known.issuer == issuer && known.expires_at.is_none_or(|at| at > jws::now()))
    }

    /// Keeps others from writing, until what this gives is dropped; `None` where nothing is kept.
    ///
    /// # Errors
    /// When it cannot be had.
    pub(super) async fn lock(&self) -> Result<Option<Lock>> {
        let Some(folder) = &self.folder else { return Ok(None) };
        let failed = |error: io::Error| refuse(format!("cannot write to {}: {error}", folder.display()));
        DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(failed)?;
        let path = folder.join("auth.lock");
        let file =
            OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(path).map_err(failed)?;
        let taking = async {
            while flock(&file, FlockOperation::NonBlockingLockExclusive).is_err() {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        let taken = tokio::time::timeout(PATIENCE, taking).await;
        taken.map_err(|_| refuse(format!("another process holds {} locked", folder.display())))?;
        Ok(Some(Lock(file)))
    }

    /// Changes the content, under the lock.
    ///
    /// # Errors
    /// When it cannot be read or written.
    pub(super) fn change<T>(&self, _lock: &Lock, change: impl FnOnce(&mut Book) -> T) -> Result<T> {
        let mut book = self.read()?;
        let outcome = change(&mut book);
        if let Some(file) = self.file() {
            write(&file, &book).map_err(|error| refuse(format!("cannot write {}: {error}", file.display())))?;
        }
        Ok(outcome)
    }

    /// The same, for once.
    ///
    /// # Errors
    /// When it cannot be locked, read or written.
    pub(super) async fn update<T: Default>(&self, change: impl FnOnce(&mut Book) -> T) -> Result<T> {
        match self.lock().await? {
            Some(lock) => self.change(&lock, change),
            None => Ok(T::default()),
        }
    }
}

/// The lock on a store.
pub(super) struct Lock(#[expect(dead_code, reason = "held, not read")] File);

fn write(path: &Path, book: &Book) -> io::Result<()> {
    let target = files::target(path)?;
    // Only its owner can read what `tempfile` makes.
    let mut file = tempfile::NamedTempFile::new_in(files::folder(&target))?;
    file.write_all(serde_json::to_string_pretty(book)?.as_bytes())?;
    file.as_file().sync_all()?;
    file.persist(&target).map(drop).map_err(|error| error.error)
}

#[cfg(test)]
mod tests {
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
            refresh: None,
            scopes: Vec::new(),
            dpop_key: None,
        }
    }

    #[tokio::test]
    async fn logins_are_kept_by_server_and_profile_for_the_owner_alone() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::new(Some(folder.path().join("a/b")));
        assert!(store.login("s", "code").unwrap().is_none() && !folder.path().join("a").exists());
        for (server, profile, token) in [("s", "code", "1"), ("t", "code", "2"), ("s", "code", "3"), ("s", "x", "4")] {
            store.update(|book| book.log_in(login(server, profile, token))).await.unwrap();
        }
        assert_eq!(store.login("s", "code").unwrap().unwrap().token.0, "3");
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
}
