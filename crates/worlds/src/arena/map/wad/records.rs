//! The records of a map, with every reference between them checked.

use super::WadError;
use super::lumps::MapLumps;

/// A place in map units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Point {
    pub x: i16,
    pub y: i16,
}

/// A linedef, with the numbers of vertices and sides resolved to what they stand for.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    pub a: Point,
    pub b: Point,
    /// The sector to the right of the way from `a` to `b`.
    pub right: Option<u16>,
    pub left: Option<u16>,
    pub flags: u16,
    pub special: u16,
    pub tag: u16,
}

/// A sector.
#[derive(Clone, Copy, Debug)]
pub struct Sector {
    pub floor: i16,
    pub ceiling: i16,
    pub special: u16,
    pub tag: u16,
}

/// A thing.
#[derive(Clone, Copy, Debug)]
pub struct Thing {
    pub at: Point,
    pub degrees: i16,
    pub kind: u16,
    pub flags: u16,
}

/// All of a map that is imported.
pub struct Records {
    pub edges: Vec<Edge>,
    pub sectors: Vec<Sector>,
    pub things: Vec<Thing>,
}

/// A linedef as the file has it.
struct LineDef {
    a: u16,
    b: u16,
    flags: u16,
    special: u16,
    tag: u16,
    right: u16,
    left: u16,
}

/// The side that is not there.
const NO_SIDE: u16 = u16::MAX;
/// What 16 bits can number. More would also make foreign files slow to check.
const MOST: usize = 1 << 16;

impl Records {
    pub fn read(map: &MapLumps<'_, '_>) -> Result<Self, WadError> {
        let things = records(map, "THINGS", Thing::new)?;
        let lines = records(map, "LINEDEFS", LineDef::new)?;
        let sides = records(map, "SIDEDEFS", side_sector)?;
        let vertices = records(map, "VERTEXES", Point::new)?;
        let sectors = records(map, "SECTORS", Sector::new)?;
        let edges = lines.iter().enumerate().map(|(record, line)| {
            let vertex = |index: u16| {
                let found = vertices.get(usize::from(index)).copied();
                found.ok_or_else(|| out_of_range("LINEDEFS", record, "VERTEXES", index, vertices.len()))
            };
            let side = |index: u16| {
                if index == NO_SIDE {
                    return Ok(None);
                }
                let sector = *sides
                    .get(usize::from(index))
                    .ok_or_else(|| out_of_range("LINEDEFS", record, "SIDEDEFS", index, sides.len()))?;
                if usize::from(sector) >= sectors.len() {
                    return Err(out_of_range("SIDEDEFS", index.into(), "SECTORS", sector, sectors.len()));
                }
                Ok(Some(sector))
            };
            Ok(Edge {
                a: vertex(line.a)?,
                b: vertex(line.b)?,
                right: side(line.right)?,
                left: side(line.left)?,
                flags: line.flags,
                special: line.special,
                tag: line.tag,
            })
        });
        Ok(Records { edges: edges.collect::<Result<_, WadError>>()?, sectors, things })
    }
}

fn records<const SIZE: usize, T>(
    map: &MapLumps<'_, '_>,
    lump: &'static str,
    read: impl Fn(&[u8; SIZE]) -> T,
) -> Result<Vec<T>, WadError> {
    let bytes = map.read(lump)?;
    let (records, rest) = bytes.as_chunks::<SIZE>();
    if !rest.is_empty() {
        return Err(WadError::Ragged { lump, bytes: bytes.len(), record: SIZE });
    }
    if records.len() > MOST {
        return Err(WadError::TooMany { lump, count: records.len(), most: MOST });
    }
    Ok(records.iter().map(read).collect())
}

fn out_of_range(
    lump: &'static str,
    record: usize,
    target: &'static str,
    index: u16,
    count: usize,
) -> WadError {
    WadError::OutOfRange { lump, record, target, index, count }
}

impl Point {
    fn new(&[x0, x1, y0, y1]: &[u8; 4]) -> Self {
        Point { x: i16::from_le_bytes([x0, x1]), y: i16::from_le_bytes([y0, y1]) }
    }
}

impl LineDef {
    fn new(&[a0, a1, b0, b1, f0, f1, s0, s1, t0, t1, r0, r1, l0, l1]: &[u8; 14]) -> Self {
        LineDef {
            a: u16::from_le_bytes([a0, a1]),
            b: u16::from_le_bytes([b0, b1]),
            flags: u16::from_le_bytes([f0, f1]),
            special: u16::from_le_bytes([s0, s1]),
            tag: u16::from_le_bytes([t0, t1]),
            right: u16::from_le_bytes([r0, r1]),
            left: u16::from_le_bytes([l0, l1]),
        }
    }
}

/// Of a side only the sector counts; the rest says how it is painted.
fn side_sector(&[.., s0, s1]: &[u8; 30]) -> u16 {
    u16::from_le_bytes([s0, s1])
}

impl Sector {
    fn new(record: &[u8; 26]) -> Self {
        // Between the heights and the special: two names of textures and the light.
        let &[f0, f1, c0, c1, .., s0, s1, t0, t1] = record;
        Sector {
            floor: i16::from_le_bytes([f0, f1]),
            ceiling: i16::from_le_bytes([c0, c1]),
            special: u16::from_le_bytes([s0, s1]),
            tag: u16::from_le_bytes([t0, t1]),
        }
    }
}

impl Thing {
    fn new(&[x0, x1, y0, y1, d0, d1, k0, k1, f0, f1]: &[u8; 10]) -> Self {
        Thing {
            at: Point { x: i16::from_le_bytes([x0, x1]), y: i16::from_le_bytes([y0, y1]) },
            degrees: i16::from_le_bytes([d0, d1]),
            kind: u16::from_le_bytes([k0, k1]),
            flags: u16::from_le_bytes([f0, f1]),
        }
    }
}
