//! What is kept between runs: tokens, each bound to the server and the issuer it is for, and the clients that were
//! registered. One file that only its owner can read, written whole under a lock.

use super::client::{Client, Method};
use super::{Secret, jws, refuse};
use crate::failure::{Failure, Result};
use crate::files::{self, Draft};
use rustix::fs::{FlockOperation, OFlags, flock};
use rustix::io::Errno;
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long another process may hold the lock: it may be asking for a token.
const PATIENCE: Duration = Duration::from_secs(30);
/// How large the file may be.
const MAX_BYTES: u64 = 4 << 20;
/// How long before its end a token counts as over, in seconds; of one that lasts less than twice that, half its life.
const MARGIN: u64 = 5;

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
    /// How many seconds it was given for.
    #[serde(default)]
    pub(super) lasts: Option<u64>,
    pub(super) refresh: Option<Secret>,
    /// What it allows.
    pub(crate) scopes: Vec<String>,
    /// What was asked for, of which the server may have given less.
    #[serde(default)]
    pub(super) asked: Vec<String>,
    /// The key it is bound to, in PKCS#8 form.
    pub(super) dpop_key: Option<Secret>,
}

impl Login {
    /// Whether its time is over, or about to be.
    pub(crate) fn is_over(&self) -> bool {
        let margin = self.lasts.map_or(MARGIN, |seconds| MARGIN.min(seconds / 2));
        self.expires_at.is_some_and(|at| at <= jws::now() + margin)
    }

    /// Whether all of these scopes are allowed, or were asked for and not given.
    pub(super) fn covers(&self, scopes: &[String]) -> bool {
        scopes.iter().all(|scope| self.scopes.contains(scope) || self.asked.contains(scope))
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

/// Who guarded a server when a client was used there, also after the login.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Met {
    server: String,
    issuer: String,
    /// The client that the user named; none: it was registered on the spot.
    client_id: Option<String>,
}

/// The content of the file.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Book {
    logins: Vec<Login>,
    clients: Vec<Registered>,
    met: Vec<Met>,
}

impl Book {
    /// Puts a login in the place of the one before it.
    pub(super) fn log_in(&mut self, login: Login) {
        self.log_out(&login.server, Some(&login.profile));
        // Each assertion has a profile of its own: what is over would pile up.
        self.logins.retain(|old| old.server != login.server || old.renews() || !old.is_over());
        self.logins.push(login);
    }

    /// Remembers who guards a server where a client is used.
    pub(super) fn meet(&mut self, server: &str, issuer: &str, client_id: Option<&str>) {
        let met = Met { server: server.into(), issuer: issuer.into(), client_id: client_id.map(str::to_owned) };
        if !self.met.contains(&met) {
            self.met.push(met);
        }
    }

    /// Forgets who guards a server, and the clients registered there; whether there were any of those.
    pub(super) fn part(&mut self, server: &str) -> bool {
        let (gone, kept): (Vec<Met>, _) =
            std::mem::take(&mut self.met).into_iter().partition(|met| met.server == server);
        self.met = kept;
        let n_before = self.clients.len();
        for met in gone.iter().filter(|met| met.client_id.is_none()) {
            self.forget(&met.issuer);
        }
        self.clients.len() < n_before
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
        let text = match read(&file) {
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

    /// The content, read beside the runtime: a disk may be slow.
    async fn book(&self) -> Result<Book> {
        let store = self.clone();
        let read = tokio::task::spawn_blocking(move || store.read()).await;
        read.map_err(|error| refuse(format!("the logins cannot be read: {error}")))?
    }

    /// The login of a server.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub(super) async fn login(&self, server: &str, profile: &str) -> Result<Option<Login>> {
        let logins = self.book().await?.logins;
        Ok(logins.into_iter().find(|login| login.server == server && login.profile == profile))
    }

    /// The issuer at which a client of the user's was used for a server.
    pub(super) async fn issuer(&self, server: &str, client_id: &str) -> Option<String> {
        let met = self.book().await.ok()?.met;
        let is_it = |met: &Met| met.server == server && met.client_id.as_deref() == Some(client_id);
        met.into_iter().find(is_it).map(|met| met.issuer)
    }

    /// The client that was registered with an issuer, if it is still one.
    pub(super) async fn client(&self, issuer: &str) -> Option<Registered> {
        let clients = self.book().await.ok()?.clients;
        clients.into_iter().find(|known| known.issuer == issuer && known.expires_at.is_none_or(|at| at > jws::now()))
    }

    /// Whether a login can be kept, to be known before anybody makes one.
    ///
    /// # Errors
    /// Why not.
    pub(super) async fn check(&self) -> Result<()> {
        let Some(lock) = self.lock().await? else {
            return Err(refuse("there is no folder to keep a login in").hint("--state-dir DIR names one"));
        };
        self.book().await?;
        let Some(file) = self.file() else { return Ok(()) };
        let trial = Draft::begin_private(&file);
        drop(lock);
        trial.map(drop).map_err(|error| refuse(format!("cannot write {}: {error}", file.display())))
    }

    /// Keeps others from writing, until what this gives is dropped; `None` where nothing is kept.
    ///
    /// # Errors
    /// When it cannot be had.
    pub(super) async fn lock(&self) -> Result<Option<Lock>> {
        self.try_lock().await.map_err(Failure::from)
    }

    /// The same, telling why it cannot be had.
    ///
    /// # Errors
    /// When it cannot be had.
    pub(super) async fn try_lock(&self) -> Result<Option<Lock>, Unlocked> {
        let Some(folder) = &self.folder else { return Ok(None) };
        let failed =
            |error: io::Error| Unlocked::Failed(refuse(format!("cannot write to {}: {error}", folder.display())));
        files::private_folder(folder).map_err(failed)?;
        let path = folder.join("auth.lock");
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(false).mode(0o600).custom_flags(nonblock());
        let file = options.open(path).map_err(failed)?;
        let taking = async {
            loop {
                match flock(&file, FlockOperation::NonBlockingLockExclusive) {
                    Ok(()) => return Ok(()),
                    Err(Errno::WOULDBLOCK | Errno::INTR) => tokio::time::sleep(Duration::from_millis(20)).await,
                    Err(error) => return Err(failed(error.into())),
                }
            }
        };
        let busy = || Unlocked::Busy(refuse(format!("another process holds {} locked", folder.display())));
        tokio::time::timeout(PATIENCE, taking).await.map_err(|_| busy())??;
        Ok(Some(Lock(file)))
    }

    /// Changes the content, under the lock.
    ///
    /// # Errors
    /// When it cannot be read or written.
    pub(super) async fn change<T>(&self, _lock: &Lock, change: impl FnOnce(&mut Book) -> T) -> Result<T> {
        let mut book = self.book().await?;
        let outcome = change(&mut book);
        if let Some(file) = self.file() {
            let failed = |why: String| refuse(format!("cannot write {}: {why}", file.display()));
            let to = file.clone();
            let written = tokio::task::spawn_blocking(move || write(&to, &book)).await;
            written.map_err(|error| failed(error.to_string()))?.map_err(|error| failed(error.to_string()))?;
        }
        Ok(outcome)
    }

    /// The same, for once.
    ///
    /// # Errors
    /// When it cannot be locked, read or written.
    pub(super) async fn update<T: Default>(&self, change: impl FnOnce(&mut Book) -> T) -> Result<T> {
        match self.lock().await? {
            Some(lock) => self.change(&lock, change).await,
            None => Ok(T::default()),
        }
    }
}

/// The lock on a store.
pub(super) struct Lock(#[expect(dead_code, reason = "held, not read")] File);

/// Why there is no lock.
pub(super) enum Unlocked {
    /// Another process has had it for too long.
    Busy(Failure),
    /// There can be none.
    Failed(Failure),
}

impl From<Unlocked> for Failure {
    fn from(why: Unlocked) -> Self {
        match why {
            Unlocked::Busy(failure) | Unlocked::Failed(failure) => failure,
        }
    }
}

/// So that a pipe in the place of a file is not waited for.
fn nonblock() -> i32 {
    OFlags::NONBLOCK.bits().cast_signed()
}

fn read(path: &Path) -> io::Result<String> {
    let file = OpenOptions::new().read(true).custom_flags(nonblock()).open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("it is no plain file"));
    }
    let mut text = String::new();
    match file.take(MAX_BYTES + 1).read_to_string(&mut text)? as u64 > MAX_BYTES {
        true => Err(io::Error::other(format!("it is larger than {MAX_BYTES} bytes"))),
        false => Ok(text),
    }
}

fn write(path: &Path, book: &Book) -> io::Result<()> {
    let mut draft = Draft::begin_private(path)?;
    draft.write_all(serde_json::to_string_pretty(book)?.as_bytes())?;
    draft.sync()?;
    draft.keep()
}

#[cfg(test)]
mod tests;
