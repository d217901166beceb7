//! A picture as sixels: strips of six rows, in each of which every colour is drawn over the ones before it.

use gif::Frame;
use image::RgbaImage;
use std::fmt::Write;

/// How coarsely colours are sampled where a picture has more than 256 of them: what `gif` recommends.
const SPEED: i32 = 10;

/// The text that draws `picture`, which is at most 65535 pixels wide and high. What is more transparent than not is left out.
pub(super) fn encode(picture: RgbaImage) -> String {
    let (width, height) = picture.dimensions();
    let mut pixels = picture.into_raw();
    let is_seen: Vec<bool> = pixels.chunks_exact(4).map(|pixel| pixel[3] >= 128).collect();
    for (pixel, is_seen) in pixels.chunks_exact_mut(4).zip(&is_seen) {
        pixel[3] = if *is_seen { 255 } else { 0 };
    }
    let side = |n: u32| u16::try_from(n).unwrap_or(u16::MAX);
    let frame = Frame::from_rgba_speed(side(width), side(height), &mut pixels, SPEED);
    // 1: what is not drawn stays as it is.
    let mut text = format!("\x1bP0;1q\"1;1;{width};{height}");
    for (number, color) in frame.palette.iter().flat_map(|palette| palette.chunks_exact(3)).enumerate() {
        let [r, g, b] = [color[0], color[1], color[2]].map(|part| (u32::from(part) * 100 + 127) / 255);
        let _ = write!(text, "#{number};2;{r};{g};{b}");
    }
    let width = width as usize;
    let mut strip = vec![0; 256 * width];
    for (colors, is_seen) in frame.buffer.chunks(6 * width).zip(is_seen.chunks(6 * width)) {
        draw_strip(colors, is_seen, width, &mut strip, &mut text);
    }
    text + "\x1b\\"
}

/// Six rows. `strip` has a row of six-bit columns for each colour, all zero.
fn draw_strip(colors: &[u8], is_seen: &[bool], width: usize, strip: &mut [u8], text: &mut String) {
    let mut used = [false; 256];
    for (at, color) in colors.iter().enumerate().filter(|(at, _)| is_seen[*at]) {
        strip[usize::from(*color) * width + at % width] |= 1 << (at / width);
        used[usize::from(*color)] = true;
    }
    for (color, columns) in strip.chunks_exact_mut(width).enumerate().filter(|(color, _)| used[*color]) {
        let _ = write!(text, "#{color}");
        for run in columns.chunk_by(|a, b| a == b) {
            let sixel = char::from(b'?' + run[0]);
            match run.len() {
                n @ 0..4 => text.extend(std::iter::repeat_n(sixel, n)),
                n => drop(write!(text, "!{n}{sixel}")),
            }
        }
        // Back to the strip's beginning.
        text.push('$');
        columns.fill(0);
    }
    text.push('-');
}

#[cfg(test)]
mod tests {
    use super::*;
    use icy_sixel::SixelImage;
    use image::Rgba;

    /// What a decoder of others makes of it: its pixels, as far as there are some.
    fn decoded(picture: &RgbaImage) -> RgbaImage {
        let seen = SixelImage::decode(encode(picture.clone()).as_bytes()).unwrap();
        let (width, height) = (seen.width as u32, seen.height as u32);
        // The last strip may have rows that the picture has not.
        assert_eq!((width, height.next_multiple_of(6)), (picture.width(), picture.height().next_multiple_of(6)));
        let mut seen = RgbaImage::from_raw(width, height, seen.pixels).unwrap();
        image::imageops::crop(&mut seen, 0, 0, width, picture.height()).to_image()
    }

    /// How far two colours are from each other, on average of the pixels that are seen.
    fn distance(a: &RgbaImage, b: &RgbaImage) -> f64 {
        let seen: Vec<_> = a.pixels().zip(b.pixels()).filter(|(a, _)| a[3] >= 128).collect();
        let apart = |a: &Rgba<u8>, b: &Rgba<u8>| (0..3).map(|n| f64::from(a[n].abs_diff(b[n]))).sum::<f64>();
        seen.iter().map(|(a, b)| apart(a, b)).sum::<f64>() / seen.len().max(1) as f64
    }

    #[test]
    fn few_colours_come_as_they_are() {
        for (width, height) in [(1, 1), (1, 13), (400, 1), (20, 12)] {
            let shades = [[0, 0, 0], [255, 255, 255], [200, 30, 99], [3, 250, 128]];
            let picture = RgbaImage::from_fn(width, height, |x, y| {
                let [r, g, b] = shades[(x / 5 + y) as usize % 4];
                Rgba([r, g, b, 255])
            });
            // Parts of colours are percents.
            assert!(distance(&picture, &decoded(&picture)) < 3.0, "{width}x{height}");
        }
    }

    #[test]
    fn of_many_colours_the_nearest_come() {
        let picture = RgbaImage::from_fn(256, 256, |x, y| Rgba([x as u8, y as u8, (x / 2 + y / 2) as u8, 255]));
        assert!(distance(&picture, &decoded(&picture)) < 20.0);
    }

    #[test]
    fn what_is_transparent_is_not_drawn() {
        let picture = RgbaImage::from_fn(90, 7, |x, _| Rgba([10, 200, 30, if x < 30 { 127 } else { 128 }]));
        let seen = decoded(&picture);
        assert!(seen.enumerate_pixels().all(|(x, _, pixel)| (pixel[3] == 255) == (x >= 30)));
        assert!(distance(&picture, &seen) < 3.0);
        let nothing = RgbaImage::new(3, 3);
        assert!(decoded(&nothing).pixels().all(|pixel| pixel[3] == 0));
    }
}
