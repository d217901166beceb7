//! What changes on our side while a connection lasts, and how the server is told.

use super::{Call, Session};
use crate::failure::{Failure, Result};
use crate::sync::lock;
use serde_json::json;

impl Session {
    /// Returns once nothing can come any more, with why.
    pub(crate) async fn gone(&self) -> Failure {
        self.core.gone.cancelled().await;
        Failure::connect(self.core.closed.get().cloned().unwrap_or_else(|| "the connection is gone".into()))
    }

    /// Whether that is so.
    pub(crate) fn is_gone(&self) -> bool {
        self.core.gone.is_cancelled()
    }

    /// Tells the server that there are other roots; false where it was not promised that (`roots.listChanged`).
    ///
    /// # Errors
    /// `interrupted`.
    pub(crate) async fn roots_changed(&self) -> Result<bool> {
        let declared = lock(&self.core.declared).clone();
        if declared.get("roots").and_then(|roots| roots.get("listChanged")).is_none_or(|promised| *promised != true) {
            return Ok(false);
        }
        self.core.notify("notifications/roots/list_changed").await.map(|()| true)
    }

    /// Asks for logs of this level and above: by a request in the handshake era, else with every request from here on.
    /// False where the server declares no logging, and so is not asked.
    ///
    /// # Errors
    /// As `request`.
    pub(crate) async fn ask_logs(&self, level: &'static str) -> Result<bool> {
        let has_back_channel = lock(&self.core.era).has_back_channel();
        if has_back_channel && !self.server().capabilities.contains_key("logging") {
            return Ok(false);
        }
        *lock(&self.core.log_level) = Some(level);
        if let (false, Some(modern)) = (has_back_channel, &*lock(&self.core.modern)) {
            modern.ask_logs(level);
            return Ok(true);
        }
        let params = Some(json!({ "level": level }));
        self.request(Call { method: "logging/setLevel", params, tool: None }).await.map(|_| true)
    }
}
