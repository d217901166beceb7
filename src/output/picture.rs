//! A picture as what a terminal draws it from. Nothing of it is the server's own bytes: they go in base64, or as what the
//! decoder made of them, and neither takes more memory than it may.

use super::sixel;
use crate::terminal::graphics::{Canvas, Protocol};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use image::imageops::FilterType;
use image::{DynamicImage, ImageFormat, ImageReader, Limits};
use std::fmt::Write;
use std::io::Cursor;

/// The widest and highest picture.
const SIDE: u32 = 10_000;
/// The most pixels.
const PIXELS: u64 = 50_000_000;
/// The most memory that decoding may take, and the most bytes that are sent as they are.
const MEMORY: u64 = 256 << 20;
const BYTES: usize = 32 << 20;
/// What kitty takes at once.
const CHUNK: usize = 4096;

/// The text that draws a picture at the cursor.
///
/// # Errors
/// Why it cannot be drawn.
pub(crate) fn draw(bytes: &[u8], canvas: &Canvas) -> Result<String, String> {
    if bytes.len() > BYTES {
        return Err(format!("it has more than {} MB", BYTES >> 20));
    }
    let format = image::guess_format(bytes).map_err(|_| "it is of no known format".to_owned())?;
    let width = width(bytes, format)?;
    match canvas.protocol {
        Protocol::Kitty if format == ImageFormat::Png => Ok(kitty(bytes, width > canvas.pixels, canvas.columns)),
        Protocol::Kitty => {
            let mut png = Vec::new();
            let picture = decode(bytes, format, canvas.pixels)?;
            picture.write_to(&mut Cursor::new(&mut png), ImageFormat::Png).map_err(|error| error.to_string())?;
            Ok(kitty(&png, false, canvas.columns))
        }
        Protocol::Iterm => {
            let width = if width > canvas.pixels { "100%" } else { "auto" };
            let base64 = STANDARD.encode(bytes);
            Ok(format!("\x1b]1337;File=inline=1;size={};width={width};height=auto:{base64}\x07", bytes.len()))
        }
        Protocol::Sixel => Ok(sixel::encode(decode(bytes, format, canvas.pixels)?.into_rgba8())),
    }
}

fn reader(bytes: &[u8], format: ImageFormat) -> ImageReader<Cursor<&[u8]>> {
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    let mut limits = Limits::default();
    (limits.max_image_width, limits.max_image_height, limits.max_alloc) = (Some(SIDE), Some(SIDE), Some(MEMORY));
    reader.limits(limits);
    reader
}

/// The picture's width, as its head says, unless it is too large.
fn width(bytes: &[u8], format: ImageFormat) -> Result<u32, String> {
    let (width, height) = reader(bytes, format).into_dimensions().map_err(|error| error.to_string())?;
    match u64::from(width) * u64::from(height) {
        n if n > PIXELS || width > SIDE || height > SIDE => Err(format!("it is too large: {width} by {height} pixels")),
        _ => Ok(width),
    }
}

/// The picture, no wider than `width`.
fn decode(bytes: &[u8], format: ImageFormat, width: u32) -> Result<DynamicImage, String> {
    let picture = reader(bytes, format).decode().map_err(|error| error.to_string())?;
    if picture.width() <= width {
        return Ok(picture);
    }
    let height = u64::from(picture.height()) * u64::from(width) / u64::from(picture.width());
    Ok(picture.resize_exact(width, u32::try_from(height).unwrap_or(u32::MAX).max(1), FilterType::Triangle))
}

/// A PNG in chunks; the terminal is asked for no answer, which would be taken for typing.
fn kitty(png: &[u8], is_wide: bool, columns: u32) -> String {
    let base64 = STANDARD.encode(png);
    let width = if is_wide { format!(",c={columns}") } else { String::new() };
    let mut drawing = String::with_capacity(base64.len() + base64.len() / CHUNK * 16 + 64);
    let mut rest = base64.as_str();
    let mut head = format!("a=T,f=100,q=2{width},");
    while !rest.is_empty() {
        let (chunk, after) = rest.split_at(rest.len().min(CHUNK));
        let more = u8::from(!after.is_empty());
        let _ = write!(drawing, "\x1b_G{head}m={more};{chunk}\x1b\\");
        head.clear();
        rest = after;
    }
    drawing
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::{Rgba, RgbaImage};

    #[test]
    fn pictures_of_any_shape_are_drawn() {
        for (width, height, alpha) in [(1, 1, 0), (1, 1, 255), (1, 700, 128), (3000, 1, 255), (7, 13, 0), (9999, 2, 1)]
        {
            let picture = RgbaImage::from_fn(width, height, |x, y| Rgba([x as u8, y as u8, (x ^ y) as u8, alpha]));
            for format in [ImageFormat::Png, ImageFormat::Gif, ImageFormat::WebP] {
                let mut bytes = Vec::new();
                picture.write_to(&mut Cursor::new(&mut bytes), format).unwrap();
                for protocol in [Protocol::Kitty, Protocol::Iterm, Protocol::Sixel] {
                    for pixels in [1, 640] {
                        let canvas = Canvas { protocol, columns: 80, pixels };
                        let drawing = draw(&bytes, &canvas).unwrap();
                        assert!(drawing.starts_with('\x1b'), "{width}x{height} {format:?} {protocol:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_cut_off_or_spoiled_anywhere_is_no_panic() {
        let picture = RgbaImage::from_fn(16, 16, |x, y| Rgba([x as u8 * 9, y as u8 * 5, 7, 255]));
        for format in [ImageFormat::Png, ImageFormat::Gif, ImageFormat::WebP] {
            let mut bytes = Vec::new();
            picture.write_to(&mut Cursor::new(&mut bytes), format).unwrap();
            for at in (0..bytes.len()).step_by(3) {
                let mut spoiled = bytes.clone();
                spoiled[at] ^= 0x5a;
                for protocol in [Protocol::Kitty, Protocol::Sixel] {
                    let canvas = Canvas { protocol, columns: 80, pixels: 640 };
                    let _ = (draw(&bytes[..at], &canvas), draw(&spoiled, &canvas));
                }
            }
        }
    }
}
