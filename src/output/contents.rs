//! The contents of a resource on stdout: text as it is, binary data as its bytes. `print` is for
//! those that are kept or drawn.

use super::Stdout;
use super::content::{self, Block, Bytes, What};
use super::save::decode;
use crate::failure::{Failure, Result};
use crate::jsonrpc::Raw;

/// The contents of a result; `None` where it has no list of them.
pub(crate) fn blocks(result: &Raw) -> Option<Vec<Block>> {
    let [contents] = result.members(&["contents"]).ok()?;
    let contents = contents.filter(|contents| contents.get().starts_with('['))?;
    Some(content::blocks(&contents, "contents", content::resource))
}

/// Prints contents in order. Texts are told apart by a line break where the first does not end with one; nothing
/// else is added, so that a file is what the resource is.
///
/// # Errors
/// `usage`, when there is binary data and stdout is a terminal; `protocol`, when it is not base64.
pub(crate) fn show(stdout: &Stdout, blocks: &[Block]) -> Result<()> {
    // All of it is decoded before any is written: half a resource is none.
    let decoded = blocks.iter().map(|block| match &block.what {
        What::Bytes(bytes) => bytes_of(bytes, stdout.is_terminal).map(Some),
        _ => Ok(None),
    });
    let decoded = decoded.collect::<Result<Vec<_>>>()?;
    let mut pieces = stdout.pieces();
    for (block, decoded) in blocks.iter().zip(decoded) {
        match (&block.what, decoded) {
            (_, Some(decoded)) => pieces.bytes(&decoded),
            (What::Text(text), None) => pieces.text_of(text),
            (_, None) => pieces.text(&block.to_text()),
        }
    }
    pieces.end_as_is().map(drop)
}

fn bytes_of(bytes: &Bytes, is_for_terminal: bool) -> Result<Vec<u8>> {
    let uri = bytes.uri.as_deref().unwrap_or("the resource");
    let decoded = decode(&bytes.base64.text().unwrap_or_default());
    let decoded = decoded.map_err(|e| Failure::protocol(format!("the blob of {uri} is not base64: {e}")))?;
    if is_for_terminal {
        let mime = bytes.mime.as_deref().unwrap_or("no type given");
        let what = format!("{uri} is binary ({mime}, {} bytes), which is not for a terminal", decoded.len());
        return Err(Failure::usage(what)
            .hint("`> FILE` or `| PROGRAM` takes the bytes, --out DIR keeps them as a file, --json shows what came"));
    }
    Ok(decoded)
}
