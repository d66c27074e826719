//! How numbers are packed in this demo: plain protocol 28, or with the extensions that it announces.

use super::bytes::{Broken, Bytes};

const FTEX: u32 = u32::from_le_bytes(*b"FTEX");
const FTE2: u32 = u32::from_le_bytes(*b"FTE2");
const MVD1: u32 = u32::from_le_bytes(*b"MVD1");

/// FTE's extensions that change the length of messages.
pub(super) mod fte {
    pub(in super::super) const TRANSPARENT: u32 = 0x8;
    pub(in super::super) const FLOAT_COORDINATES: u32 = 0x8000;
    pub(in super::super) const CHUNKED_DOWNLOADS: u32 = 0x2000_0000;
    /// Any of these adds a byte to the flags of a player: scale, transparency, fatness, size of the hull.
    pub(in super::super) const PLAYER_FLAGS: u32 = 0x2 | TRANSPARENT | 0x100 | 0x800;
}
/// FTE's second word: entities come as replacements, in a format of their own.
const REPLACEMENT_DELTAS: u32 = 0x8;
const MVD_FLOAT_COORDINATES: u32 = 0x1;

/// What the server and the client agreed on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Wire {
    /// 28, or an older one that is read the same way from 26 on.
    pub protocol: u32,
    /// FTE's extensions.
    pub fte: u32,
    /// Whether this is a server's demo, where some messages are laid out otherwise.
    pub is_server_demo: bool,
    /// Coordinates are floats, and angles 16 bits.
    pub is_float: bool,
}

impl Wire {
    /// Reads the extension words and the protocol number at the beginning of the server's data.
    pub(super) fn read(bytes: &mut Bytes<'_>, is_server_demo: bool) -> Result<Self, Broken> {
        let mut wire = Wire { is_server_demo, ..Wire::default() };
        loop {
            match bytes.u32()? {
                FTEX => {
                    wire.fte = bytes.u32()?;
                    wire.is_float |= wire.fte & fte::FLOAT_COORDINATES != 0;
                }
                FTE2 => {
                    if bytes.u32()? & REPLACEMENT_DELTAS != 0 {
                        return Err(Broken::Nonsense(
                            "its entities come as FTE's replacement deltas, which are not supported",
                        ));
                    }
                }
                MVD1 => wire.is_float |= bytes.u32()? & MVD_FLOAT_COORDINATES != 0,
                protocol @ 26..=28 => {
                    wire.protocol = protocol;
                    return Ok(wire);
                }
                _ => return Err(Broken::Nonsense("its protocol is none of 26 to 28, which QuakeWorld uses")),
            }
        }
    }

    pub(super) fn coordinate(&self, bytes: &mut Bytes<'_>) -> Result<f32, Broken> {
        if self.is_float { bytes.f32() } else { Ok(f32::from(bytes.i16()?) / 8.0) }
    }

    pub(super) fn point(&self, bytes: &mut Bytes<'_>) -> Result<[f32; 3], Broken> {
        Ok([self.coordinate(bytes)?, self.coordinate(bytes)?, self.coordinate(bytes)?])
    }

    /// An angle in degrees, from -180 to 180.
    pub(super) fn angle(&self, bytes: &mut Bytes<'_>) -> Result<f32, Broken> {
        if self.is_float { angle16(bytes) } else { Ok(f32::from(bytes.u8()? as i8) * (360.0 / 256.0)) }
    }
}

/// An angle in degrees, from -180 to 180, in steps of 360/65536.
pub(super) fn angle16(bytes: &mut Bytes<'_>) -> Result<f32, Broken> {
    Ok(f32::from(bytes.i16()?) * (360.0 / 65536.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(words: &[u32]) -> Vec<u8> {
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    #[test]
    fn extension_words_come_before_the_protocol_in_any_order() {
        let bytes = words(&[MVD1, 1, FTEX, 0x2000_0000, FTE2, 2, 28]);
        let wire = Wire::read(&mut Bytes::new(&bytes), false).unwrap();
        assert_eq!((wire.protocol, wire.fte, wire.is_float), (28, 0x2000_0000, true));
        let half = 12.5_f32.to_le_bytes();
        assert_eq!(wire.coordinate(&mut Bytes::new(&half)), Ok(12.5));
        let plain = Wire::read(&mut Bytes::new(&words(&[28])), false).unwrap();
        assert_eq!(plain.coordinate(&mut Bytes::new(&100_i16.to_le_bytes())), Ok(12.5));
        assert!(Wire::read(&mut Bytes::new(&words(&[15])), false).is_err(), "Quake's own protocol");
        assert!(Wire::read(&mut Bytes::new(&words(&[FTE2, 8, 28])), false).is_err());
    }
}
