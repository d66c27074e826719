//! The container: a header of 12 bytes, lumps of data anywhere, and a directory of 16 bytes a lump.
//!
//! A map is an empty lump that bears its name, followed by its parts. Names are not unique: as in Doom the last wins.

use repertoire_authored::nearest;

use super::WadError;

const HEADER_BYTES: usize = 12;
const ENTRY_BYTES: usize = 16;

/// What may follow a map's name, in any order.
const PARTS: [&str; 13] = [
    "THINGS", "LINEDEFS", "SIDEDEFS", "VERTEXES", "SEGS", "SSECTORS", "NODES", "SECTORS", "REJECT",
    "BLOCKMAP", "BEHAVIOR", "SCRIPTS", "TEXTMAP",
];

/// The directory of a file. Reads nothing else, so that damage elsewhere does not matter.
pub struct Wad<'a> {
    bytes: &'a [u8],
    entries: Vec<Entry>,
}

/// Where a lump is. As written in the file: not checked until it is read.
struct Entry {
    name: String,
    offset: i32,
    size: i32,
}

/// The lumps of one map.
pub struct MapLumps<'w, 'a> {
    wad: &'w Wad<'a>,
    /// Its name as the file spells it.
    pub name: &'w str,
    parts: &'w [Entry],
}

impl<'a> Wad<'a> {
    pub fn new(bytes: &'a [u8]) -> Result<Self, WadError> {
        if let Some(magic) = bytes.first_chunk::<4>()
            && !matches!(magic, b"IWAD" | b"PWAD")
        {
            return Err(foreign(magic));
        }
        let Some(header) = bytes.first_chunk::<HEADER_BYTES>() else {
            let missing = HEADER_BYTES.saturating_sub(bytes.len()) as u64;
            return Err(WadError::Truncated { what: "the header".to_owned(), offset: 0, missing });
        };
        let [_, _, _, _, n0, n1, n2, n3, o0, o1, o2, o3] = *header;
        let count = not_negative(i32::from_le_bytes([n0, n1, n2, n3]), || "the number of lumps".to_owned())?;
        let offset =
            not_negative(i32::from_le_bytes([o0, o1, o2, o3]), || "the offset of the directory".to_owned())?;
        let directory = slice(bytes, offset, count.saturating_mul(ENTRY_BYTES), || {
            format!("the directory of {count} lumps")
        })?;
        let (records, _) = directory.as_chunks::<ENTRY_BYTES>();
        Ok(Wad { bytes, entries: records.iter().map(Entry::new).collect() })
    }

    /// The names of the maps, in the order of the file.
    pub fn maps(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        let mut seen = std::collections::BTreeSet::new();
        for (name, _) in self.markers() {
            if seen.insert(name) {
                names.push(name.to_owned());
            }
        }
        names
    }

    /// The lumps of a map.
    pub fn map(&self, wanted: &str) -> Result<MapLumps<'_, 'a>, WadError> {
        let found = self.markers().filter(|(name, _)| name.eq_ignore_ascii_case(wanted)).last();
        let Some((name, at)) = found else {
            let maps = self.maps();
            let nearest = nearest(wanted, maps.iter().map(String::as_str)).map(str::to_owned);
            return Err(WadError::NoSuchMap { wanted: wanted.to_owned(), nearest, maps });
        };
        let after = self.entries.get(at + 1..).unwrap_or(&[]);
        let count = after.iter().take_while(|entry| PARTS.contains(&entry.name.as_str())).count();
        Ok(MapLumps { wad: self, name, parts: after.get(..count).unwrap_or(&[]) })
    }

    fn markers(&self) -> impl Iterator<Item = (&str, usize)> {
        self.entries.windows(2).enumerate().filter_map(|(at, pair)| match pair {
            [marker, first] if first.name == "THINGS" || first.name == "TEXTMAP" => {
                Some((marker.name.as_str(), at))
            }
            _ => None,
        })
    }
}

impl<'a> MapLumps<'_, 'a> {
    pub fn has(&self, lump: &str) -> bool {
        self.parts.iter().any(|entry| entry.name == lump)
    }

    /// The bytes of a part.
    pub fn read(&self, lump: &'static str) -> Result<&'a [u8], WadError> {
        let missing = || WadError::MissingLump { map: self.name.to_owned(), lump };
        let entry = self.parts.iter().find(|entry| entry.name == lump).ok_or_else(missing)?;
        let what = || format!("lump {lump} of {}", self.name);
        let size = not_negative(entry.size, || format!("the size of {}", what()))?;
        if size == 0 {
            // Empty lumps often come with a meaningless offset.
            return Ok(&[]);
        }
        let offset = not_negative(entry.offset, || format!("the offset of {}", what()))?;
        slice(self.wad.bytes, offset, size, what)
    }
}

impl Entry {
    fn new(record: &[u8; ENTRY_BYTES]) -> Self {
        let [o0, o1, o2, o3, s0, s1, s2, s3, name @ ..] = *record;
        let name = name.iter().take_while(|&&byte| byte != 0);
        // Names end up in messages: nothing there may move the cursor.
        let name = name.map(|&byte| if byte.is_ascii_graphic() { char::from(byte) } else { '?' }).collect();
        let (offset, size) = (i32::from_le_bytes([o0, o1, o2, o3]), i32::from_le_bytes([s0, s1, s2, s3]));
        Entry { name, offset, size }
    }
}

fn slice(bytes: &[u8], at: usize, size: usize, what: impl Fn() -> String) -> Result<&[u8], WadError> {
    let end = at.saturating_add(size);
    bytes.get(at..end).ok_or_else(|| WadError::Truncated {
        what: what(),
        offset: at as u64,
        missing: end.saturating_sub(bytes.len().max(at)) as u64,
    })
}

fn not_negative(value: i32, what: impl Fn() -> String) -> Result<usize, WadError> {
    usize::try_from(value).map_err(|_| WadError::Negative { what: what(), value })
}

fn foreign(magic: &[u8; 4]) -> WadError {
    let (what, remedy) = match magic {
        [b'P', b'K', ..] => ("it starts with PK, as a ZIP archive does", "unzip it first"),
        [0x1f, 0x8b, ..] => ("it starts as a gzip archive does", "unpack it with gunzip first"),
        [b'7', b'z', ..] => ("it starts as a 7z archive does", "unpack it first"),
        b"WAD2" | b"WAD3" => ("it starts as a texture file of Quake does", "give a WAD file of Doom"),
        _ => ("it starts neither with IWAD nor with PWAD", "give a WAD file of Doom, such as freedm.wad"),
    };
    WadError::NotAWad { what, remedy }
}
