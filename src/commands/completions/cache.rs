//! What a server has, kept for half a minute: the next TAB is to be quick. Only names and schemas are kept, in files
//! that are the user's alone; which server they are of is a hash, made without passwords, headers and environment.

use crate::context::Context;
use crate::files;
use crate::secrets::url_without_userinfo;
use crate::target::Target;
use serde_json::Value;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// How long an answer is good.
const FRESH: Duration = Duration::from_secs(30);

/// A place for one list of one server.
pub(super) struct Slot {
    folder: PathBuf,
    file: PathBuf,
}

impl Slot {
    /// The place, if the user has a folder for caches.
    pub(super) fn of(target: &Target, protocol: &str, method: &str, context: &Context) -> Option<Slot> {
        let folder = context.folder("XDG_CACHE_HOME", ".cache")?.join("mcpcall").join("completions");
        let mut hash = DefaultHasher::new();
        (protocol, method).hash(&mut hash);
        match target {
            Target::Url { url, headers, is_sse } => {
                let names: Vec<String> = headers.iter().map(|(name, _)| name.to_lowercase()).collect();
                (url_without_userinfo(url), names, is_sse).hash(&mut hash);
            }
            Target::Command(spawn) => {
                let names: Vec<&String> = spawn.env.iter().map(|(name, _)| name).collect();
                let cwd = std::path::absolute(spawn.cwd.as_deref().unwrap_or(Path::new("."))).ok();
                (&spawn.program, &spawn.args, names, cwd).hash(&mut hash);
            }
        }
        let file = folder.join(format!("{:016x}.json", hash.finish()));
        Some(Slot { folder, file })
    }

    /// What is kept, while it is fresh.
    pub(super) fn read(&self) -> Option<Vec<Value>> {
        is_younger(&self.file, FRESH).then_some(())?;
        serde_json::from_slice(&std::fs::read(&self.file).ok()?).ok()
    }

    /// Keeps a list; what has long been stale goes.
    pub(super) fn write(&self, items: &[Value]) -> std::io::Result<()> {
        files::private_folder(&self.folder)?;
        for entry in std::fs::read_dir(&self.folder)?.flatten() {
            if !is_younger(&entry.path(), FRESH * 20) {
                let _ = std::fs::remove_file(entry.path());
            }
        }
        files::write_private(&self.file, Value::from(items).to_string().as_bytes())
    }
}

fn is_younger(file: &Path, age: Duration) -> bool {
    let changed = file.metadata().and_then(|meta| meta.modified());
    changed.is_ok_and(|changed| SystemTime::now().duration_since(changed).is_ok_and(|passed| passed < age))
}
