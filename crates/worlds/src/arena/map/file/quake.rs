//! A map of Quake inside a map file: its trees, planes and things, packed by zlib and written in 64 characters.
//!
//! Only what matches need is kept (no textures, lights or faces), so that a map is some tens of kilobytes, and a recording that
//! holds it needs no other file.

use std::io::{Read, Write};
use std::sync::Arc;

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use repertoire_authored::{Mistake, Spanned};

use super::format::MapFile;
use crate::arena::map::{Map, bsp};
use crate::quake::{Bsp, Stage};

/// No map unpacks to more, in bytes: a small text must not ask for all memory.
const LARGEST: u64 = 1 << 26;
const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// A stage as text.
pub fn pack(stage: &Stage) -> String {
    let mut packer = ZlibEncoder::new(Vec::new(), Compression::new(6));
    // Writing to memory cannot fail.
    let _ = packer.write_all(&stage.map.write());
    letters(&packer.finish().unwrap_or_default())
}

/// The map that a text holds.
pub fn build(text: &str, file: &MapFile, packed: &Spanned<String>) -> Result<Map, Mistake> {
    let wrong = |what: String, remedy: &str| Mistake::at(text, packed.span(), what, remedy);
    let others = [file.area.len(), file.pillar.len(), file.item.len(), file.start.len(), file.exit.len()];
    if file.raw.is_some() || others.iter().any(|&count| count > 0) {
        let remedy = "keep `name` and `quake`, or make a map of your own without it";
        return Err(wrong("a map of Quake has its own areas, items and starts".to_owned(), remedy));
    }
    let remedy = "write it again with `repertoire arena import FILE.bsp -o OUT.toml`";
    let bytes = bytes(packed.get_ref()).ok_or_else(|| wrong("this is no packed map".to_owned(), remedy))?;
    let mut unpacked = Vec::new();
    ZlibDecoder::new(&bytes[..])
        .take(LARGEST)
        .read_to_end(&mut unpacked)
        .map_err(|error| wrong(format!("the packed map is damaged: {error}"), remedy))?;
    let map = Bsp::read(&unpacked)
        .map_err(|error| wrong(format!("the packed map is damaged: {}", error.what), remedy))?;
    Ok(bsp::of_stage(&file.name, Arc::new(Stage::new(map))))
}

/// Three bytes as four letters; `=` fills up the end.
fn letters(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let word = (0..3).fold(0_u32, |word, k| word << 8 | u32::from(chunk.get(k).copied().unwrap_or(0)));
        for k in 0..4 {
            let letter = LETTERS[(word >> (18 - 6 * k) & 63) as usize];
            text.push(if k <= chunk.len() { char::from(letter) } else { '=' });
        }
    }
    text
}

/// What [`letters`] wrote; none if it did not.
fn bytes(text: &str) -> Option<Vec<u8>> {
    let text = text.as_bytes();
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    for chunk in text.chunks(4) {
        let filled = chunk.iter().rev().take_while(|&&letter| letter == b'=').count();
        if chunk.len() != 4 || filled > 2 {
            return None;
        }
        let mut word = 0_u32;
        for &letter in &chunk[..4 - filled] {
            word = word << 6 | LETTERS.iter().position(|&known| known == letter)? as u32;
        }
        word <<= 6 * filled;
        bytes.extend_from_slice(&word.to_be_bytes()[1..4 - filled]);
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn any_bytes_survive_their_letters(given in proptest::collection::vec(any::<u8>(), 0..50)) {
            let text = letters(&given);
            prop_assert_eq!(text.len() % 4, 0);
            prop_assert_eq!(bytes(&text), Some(given));
        }

        #[test]
        fn any_text_is_read_or_refused(text in "\\PC{0,30}") {
            let _ = bytes(&text);
        }
    }
}
