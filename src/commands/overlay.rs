//! A host over another one: what it does not do its own way goes to the host below.

use crate::session::host::{Answer, Ask, Capability, Event, Host};
use std::pin::Pin;

/// Something that stands between a session and the host of the run.
pub(super) trait Overlay: Send + Sync {
    /// The host below.
    fn below(&self) -> &dyn Host;
    /// As `Host::answer`.
    fn answer(&self, ask: Ask) -> Answer<'_> {
        self.below().answer(ask)
    }
    /// Whether an event is passed on.
    fn passes(&self, _event: &Event<'_>) -> bool {
        true
    }
}

impl<T: Overlay> Host for T {
    fn capabilities(&self) -> Vec<Capability> {
        self.below().capabilities()
    }
    fn answer(&self, ask: Ask) -> Answer<'_> {
        Overlay::answer(self, ask)
    }
    fn finished<'a>(&'a self, ask: &'a Ask, ids: &'a [String]) -> Pin<Box<dyn Future<Output = bool> + Send + 'a>> {
        self.below().finished(ask, ids)
    }
    fn event(&self, event: Event<'_>) {
        if self.passes(&event) {
            self.below().event(event);
        }
    }
    fn wants_wire(&self) -> bool {
        self.below().wants_wire()
    }
}
