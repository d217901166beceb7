//! `notifications/progress`: numbers may be fractions, may lack a total, and need not grow.

use super::Show;
use crate::session::host::{Event, Raw};

/// Passes progress on; one without a number is passed on as "?".
pub(super) fn read(params: Option<&Raw>, show: &Show) {
    let members = params.and_then(|params| params.members(&["progress", "total", "message"]).ok());
    let [progress, total, message] = members.unwrap_or_default();
    let number = |member: Option<Raw>| member.filter(|raw| raw.get().starts_with(|c| matches!(c, '-' | '0'..='9')));
    show(Event::Progress {
        progress: number(progress).as_ref().map_or("?", Raw::get),
        total: number(total).as_ref().map(Raw::get),
        message: message.as_ref().and_then(Raw::text).as_deref(),
    });
}
