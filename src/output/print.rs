//! Prints what a server gave, block by block, and does with pictures and other bytes what the flags say: a line that says
//! what they are, a file, a drawing.

use super::content::{Block, Bytes, What};
use super::picture;
use super::save::{Saver, decode};
use super::{Pieces, Stdout};
use crate::failure::{Failure, Kind, Result};
use crate::jsonrpc::Raw;
use crate::session::host::Event;
use crate::terminal::graphics::Canvas;
use std::cell::OnceCell;

/// Finds out how pictures are drawn, or why they are not.
pub(crate) type FindCanvas<'a> = Box<dyn Fn() -> Result<Canvas, &'static str> + 'a>;

/// How a run prints what a server gave.
pub(crate) struct Printer<'a> {
    /// Where to.
    pub(crate) stdout: Stdout,
    /// As the server's JSON.
    pub(crate) json: bool,
    /// `--out`.
    pub(crate) saver: Option<&'a Saver>,
    /// `--show-images`.
    pub(crate) canvas: Option<FindCanvas<'a>>,
    /// Takes what else there is to tell.
    pub(crate) tell: &'a dyn Fn(Event<'_>),
}

impl Printer<'_> {
    /// Prints a result: as its JSON, or the `blocks` of it. Its bytes are kept in either case; `name` is what they are
    /// called that have no name of their own.
    ///
    /// # Errors
    /// When stdout or a file cannot be written, or there is no value that is selected.
    pub(crate) fn print(&self, name: &str, result: &Raw, blocks: impl FnOnce() -> Vec<Block>) -> Result<()> {
        if self.json {
            return self.print_json(name, result, blocks);
        }
        let mut unsaved = None;
        let printed = self.print_blocks(name, &blocks(), &mut unsaved);
        printed.and(unsaved.map_or(Ok(()), Err))
    }

    /// Prints a result as its JSON whatever the flags say.
    ///
    /// # Errors
    /// As `print`.
    pub(crate) fn print_json(&self, name: &str, result: &Raw, blocks: impl FnOnce() -> Vec<Block>) -> Result<()> {
        let printed = self.stdout.json(result.get());
        let Some(saver) = self.saver else { return printed };
        let mut unsaved = None;
        for block in blocks() {
            let What::Bytes(bytes) = &block.what else { continue };
            let decoded = self.decoded(&block, bytes);
            if let Some(kept) = self.keep(saver, name, &block, bytes, &decoded, &mut unsaved) {
                (self.tell)(Event::Said { label: "out", text: &format!("{}: {kept}", block.place) });
            }
        }
        printed.and(unsaved.map_or(Ok(()), Err))
    }

    fn print_blocks(&self, name: &str, blocks: &[Block], unsaved: &mut Option<Failure>) -> Result<()> {
        let mut pieces = self.stdout.pieces();
        let canvas = OnceCell::new();
        for (at, block) in blocks.iter().enumerate() {
            match &block.what {
                What::Words(words) => pieces.text(words),
                What::Message(role) => {
                    // An empty line between two.
                    if at > 0 {
                        pieces.put("\n");
                    }
                    if !role.is_empty() {
                        pieces.lead(&format!("{role}: "));
                    }
                }
                What::Text(text) => {
                    if !block.notes.is_empty() {
                        (self.tell)(Event::Note(&format!("{} is {}", block.place, block.notes)));
                    }
                    pieces.text_of(text);
                }
                What::Bytes(bytes) => {
                    pieces.put("");
                    pieces.flush();
                    let is_picture =
                        bytes.kind == "image" || bytes.mime.as_deref().is_some_and(|mime| mime.starts_with("image/"));
                    let canvas = self
                        .canvas
                        .as_ref()
                        .filter(|_| is_picture)
                        .map(|find| *canvas.get_or_init(|| self.found(find)));
                    let is_wanted = self.saver.is_some() || canvas.is_some_and(|canvas| canvas.is_some());
                    let decoded = if is_wanted { self.decoded(block, bytes) } else { None };
                    let kept = self.saver.and_then(|saver| self.keep(saver, name, block, bytes, &decoded, unsaved));
                    pieces.text(&bytes.line(&block.notes, kept.as_deref()));
                    if let (Some(Some(canvas)), Some(decoded)) = (canvas, &decoded) {
                        self.draw(&mut pieces, block, decoded, &canvas);
                    }
                }
            }
        }
        pieces.end().map(drop)
    }

    /// Where pictures are drawn; if nowhere, that is told, once.
    fn found(&self, find: &FindCanvas<'_>) -> Option<Canvas> {
        find().map_err(|why| (self.tell)(Event::Said { label: "images", text: &format!("not shown: {why}") })).ok()
    }

    fn decoded(&self, block: &Block, bytes: &Bytes) -> Option<Vec<u8>> {
        let decoded = decode(&bytes.base64.text().unwrap_or_default());
        let warn =
            |why| (self.tell)(Event::Warning(&format!("{}: the {} is not base64: {why}", block.place, bytes.kind)));
        decoded.map_err(warn).ok()
    }

    /// Keeps a block's bytes, or what there is instead; says where.
    fn keep(
        &self,
        saver: &Saver,
        name: &str,
        block: &Block,
        bytes: &Bytes,
        decoded: &Option<Vec<u8>>,
        unsaved: &mut Option<Failure>,
    ) -> Option<String> {
        let saved = match decoded {
            Some(decoded) => saver.save(name, bytes, decoded),
            None => saver.save_text(name, bytes, &bytes.base64.text().unwrap_or_default()),
        };
        match saved {
            Ok(path) => Some(path.display().to_string()),
            Err(error) => {
                let failure =
                    Failure::new(Kind::Internal, format!("{} cannot be written to --out: {error}", block.place));
                unsaved.get_or_insert(failure);
                None
            }
        }
    }

    fn draw(&self, pieces: &mut Pieces, block: &Block, decoded: &[u8], canvas: &Canvas) {
        match picture::draw(decoded, canvas) {
            Ok(drawing) => pieces.put(&drawing),
            Err(why) => {
                pieces.put("");
                pieces.flush();
                (self.tell)(Event::Said { label: "images", text: &format!("{} is not shown: {why}", block.place) });
            }
        }
    }
}
