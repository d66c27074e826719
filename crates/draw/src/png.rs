//! Pictures of a match: one animated picture of many, or one in a terminal.
//!
//! An animated PNG is the pictures' own data with a few words between (the format that browsers show); nothing is drawn or
//! packed again.

use std::fmt::Write as _;
use std::io::Read;

use flate2::Crc;
use flate2::read::ZlibDecoder;

/// Why pictures cannot be joined or shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PngError {
    /// There is nothing to animate.
    #[error("there is no picture")]
    Empty,
    /// It does not begin as PNG files do.
    #[error("the engine's picture is no PNG")]
    NoPng,
    /// It ends in the middle of a chunk.
    #[error("the engine's picture is cut off")]
    CutOff,
    /// It is a PNG, but not one with a palette and plain rows.
    #[error("the engine's picture is not what was asked for")]
    Other,
}

const SIGNATURE: &[u8; 8] = b"\x89PNG\r\n\x1a\n";

/// A chunk's kind and its data.
type Chunk<'a> = (&'a [u8], &'a [u8]);

/// The chunks of a PNG file.
fn chunks(png: &[u8]) -> Result<Vec<Chunk<'_>>, PngError> {
    let Some(mut rest) = png.strip_prefix(SIGNATURE) else { return Err(PngError::NoPng) };
    let mut found = Vec::new();
    while let Some((length, after)) = rest.split_first_chunk::<4>() {
        let length = u32::from_be_bytes(*length) as usize;
        if after.len() < length + 8 {
            return Err(PngError::CutOff);
        }
        found.push((&after[..4], &after[4..4 + length]));
        rest = &after[length + 8..];
    }
    Ok(found)
}

fn push_chunk(out: &mut Vec<u8>, kind: &[u8], data: &[u8]) {
    out.extend((data.len() as u32).to_be_bytes());
    let mut crc = Crc::new();
    crc.update(kind);
    crc.update(data);
    out.extend(kind);
    out.extend(data);
    out.extend(crc.sum().to_be_bytes());
}

/// One animated picture of many pictures of the same size and palette.
pub fn animate(pictures: &[Vec<u8>], millis: u16) -> Result<Vec<u8>, PngError> {
    let Some(first) = pictures.first() else { return Err(PngError::Empty) };
    let mut out = SIGNATURE.to_vec();
    let mut sequence = 0u32;
    let mut size = [0u8; 8];
    for (kind, data) in chunks(first)? {
        if kind == b"IHDR" {
            size.copy_from_slice(&data[..8]);
            push_chunk(&mut out, kind, data);
            let control = [(pictures.len() as u32).to_be_bytes(), 0u32.to_be_bytes()].concat();
            push_chunk(&mut out, b"acTL", &control);
        } else if kind == b"PLTE" {
            push_chunk(&mut out, kind, data);
        }
    }
    for (number, picture) in pictures.iter().enumerate() {
        let mut control = sequence.to_be_bytes().to_vec();
        control.extend(size);
        control.extend([0; 8]);
        control.extend(millis.to_be_bytes());
        control.extend(1000u16.to_be_bytes());
        control.extend([0, 0]);
        push_chunk(&mut out, b"fcTL", &control);
        sequence += 1;
        for (_, data) in chunks(picture)?.into_iter().filter(|(kind, _)| *kind == b"IDAT") {
            if number == 0 {
                push_chunk(&mut out, b"IDAT", data);
            } else {
                push_chunk(&mut out, b"fdAT", &[&sequence.to_be_bytes()[..], data].concat());
                sequence += 1;
            }
        }
    }
    push_chunk(&mut out, b"IEND", &[]);
    Ok(out)
}

/// A picture for a terminal that is this many columns wide: two pixels a character, one above the other.
pub fn in_terminal(png: &[u8], columns: usize) -> Result<String, PngError> {
    let (mut palette, mut packed, mut width, mut height) = (Vec::new(), Vec::new(), 0usize, 0usize);
    for (kind, data) in chunks(png)? {
        match kind {
            b"IHDR" if data.len() >= 8 => {
                width = u32::from_be_bytes([data[0], data[1], data[2], data[3]]) as usize;
                height = u32::from_be_bytes([data[4], data[5], data[6], data[7]]) as usize;
            }
            b"PLTE" => palette = data.to_vec(),
            b"IDAT" => packed.extend(data),
            _ => {}
        }
    }
    let mut rows = Vec::new();
    ZlibDecoder::new(&packed[..]).take(1 << 26).read_to_end(&mut rows).map_err(|_| PngError::Other)?;
    if width == 0 || height == 0 || rows.len() < (width + 1) * height || palette.len() < 768 {
        return Err(PngError::Other);
    }
    // Rows begin with a byte that says how they are filtered: the bridge writes them plain.
    let colour = |x: usize, y: usize| {
        let pixel = usize::from(rows[y.min(height - 1) * (width + 1) + 1 + x.min(width - 1)]) * 3;
        (palette[pixel], palette[pixel + 1], palette[pixel + 2])
    };
    let columns = columns.clamp(width.min(20), width);
    let lines = columns * height / width / 2;
    let mut text = String::new();
    for line in 0..lines {
        for column in 0..columns {
            let x = column * width / columns;
            let (top, bottom) = (
                colour(x, 2 * line * height / (2 * lines)),
                colour(x, (2 * line + 1) * height / (2 * lines)),
            );
            let _ = write!(
                text,
                "\x1b[38;2;{};{};{}m\x1b[48;2;{};{};{}m▀",
                top.0, top.1, top.2, bottom.0, bottom.1, bottom.2
            );
        }
        text += "\x1b[0m\n";
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    /// A picture of one colour, as the bridge writes them.
    fn picture(colour: u8) -> Vec<u8> {
        let mut rows = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
        (0..4).for_each(|_| rows.write_all(&[0, colour, colour, colour, colour]).expect("memory"));
        let mut out = SIGNATURE.to_vec();
        let size = [4u32.to_be_bytes(), 4u32.to_be_bytes()].concat();
        push_chunk(&mut out, b"IHDR", &[&size[..], &[8, 3, 0, 0, 0]].concat());
        push_chunk(&mut out, b"PLTE", &(0..768).map(|k| (k / 3) as u8).collect::<Vec<_>>());
        push_chunk(&mut out, b"IDAT", &rows.finish().expect("memory"));
        push_chunk(&mut out, b"IEND", &[]);
        out
    }

    #[test]
    fn an_animated_picture_holds_every_picture_in_order() {
        let film = animate(&[picture(1), picture(2), picture(3)], 57).expect("three pictures");
        let kinds: Vec<String> = chunks(&film)
            .expect("it is a PNG")
            .iter()
            .map(|(kind, _)| String::from_utf8_lossy(kind).into_owned())
            .collect();
        assert_eq!(kinds.join(" "), "IHDR acTL PLTE fcTL IDAT fcTL fdAT fcTL fdAT IEND");
        let numbers: Vec<u32> = chunks(&film)
            .expect("it is a PNG")
            .iter()
            .filter(|(kind, _)| *kind == b"fcTL" || *kind == b"fdAT")
            .map(|(_, data)| u32::from_be_bytes([data[0], data[1], data[2], data[3]]))
            .collect();
        assert_eq!(numbers, [0, 1, 2, 3, 4]);
        assert!(animate(&[], 57).is_err() && animate(&[b"no".to_vec()], 57).is_err());
    }

    #[test]
    fn a_terminal_shows_the_colours_of_the_palette() {
        let text = in_terminal(&picture(7), 80).expect("a picture");
        assert!(text.contains("\x1b[38;2;7;7;7m") && text.lines().count() == 2, "{text:?}");
        assert!(in_terminal(&picture(7)[..60], 80).is_err());
    }
}
