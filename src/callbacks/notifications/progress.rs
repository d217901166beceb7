//! `notifications/progress`: numbers may be fractions, may lack a total, and need not grow.

use super::Show;
use crate::session::host::Event;
use serde_json::Value;

/// Passes progress on; one without a number is passed on as "?".
pub(super) fn read(params: &Value, show: &Show) {
    let number = |key: &str| params.get(key).filter(|value| value.is_number()).map(ToString::to_string);
    show(Event::Progress {
        progress: number("progress").as_deref().unwrap_or("?"),
        total: number("total").as_deref(),
        message: params.get("message").and_then(Value::as_str),
    });
}
