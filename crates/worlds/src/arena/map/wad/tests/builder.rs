//! Writes small WAD files.

/// A map to be written. Sectors, lines and things are numbered as they are added.
#[derive(Clone, Debug, Default)]
pub struct Draft {
    pub name: String,
    pub vertices: Vec<(i16, i16)>,
    pub lines: Vec<DraftLine>,
    pub sides: Vec<u16>,
    /// Floor, ceiling, special, tag.
    pub sectors: Vec<(i16, i16, u16, u16)>,
    /// x, y, degrees, kind, flags.
    pub things: Vec<(i16, i16, i16, u16, u16)>,
    /// Lumps after those of Doom.
    pub more: Vec<(&'static str, Vec<u8>)>,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct DraftLine {
    pub a: u16,
    pub b: u16,
    pub flags: u16,
    pub special: u16,
    pub tag: u16,
    pub right: u16,
    pub left: u16,
}

/// The flags of a thing that always appears.
pub const ALWAYS: u16 = 7;

impl Draft {
    pub fn sector(&mut self, floor: i16, ceiling: i16, special: u16, tag: u16) -> u16 {
        self.sectors.push((floor, ceiling, special, tag));
        self.sectors.len() as u16 - 1
    }

    /// A line with sectors on its right and left.
    pub fn line(
        &mut self,
        a: (i16, i16),
        b: (i16, i16),
        right: u16,
        left: impl Into<Option<u16>>,
    ) -> &mut DraftLine {
        let (a, b) = (self.vertex(a), self.vertex(b));
        let right = self.side(right);
        let left = left.into().map_or(u16::MAX, |left| self.side(left));
        self.lines.push(DraftLine { a, b, right, left, ..DraftLine::default() });
        self.lines.last_mut().expect("just added")
    }

    /// Lines from point to point.
    pub fn path(&mut self, points: &[(i16, i16)], right: u16, left: impl Into<Option<u16>>) {
        let left = left.into();
        for pair in points.windows(2) {
            self.line(pair[0], pair[1], right, left);
        }
    }

    /// A square of one sector within another.
    pub fn island(&mut self, (x, y): (i16, i16), size: i16, inner: u16, outer: u16) {
        self.path(&[(x, y), (x, y + size), (x + size, y + size), (x + size, y), (x, y)], inner, outer);
    }

    pub fn thing(&mut self, (x, y): (i16, i16), degrees: i16, kind: u16, flags: u16) {
        self.things.push((x, y, degrees, kind, flags));
    }

    fn vertex(&mut self, at: (i16, i16)) -> u16 {
        let found = self.vertices.iter().position(|&vertex| vertex == at);
        found.unwrap_or_else(|| {
            self.vertices.push(at);
            self.vertices.len() - 1
        }) as u16
    }

    fn side(&mut self, sector: u16) -> u16 {
        self.sides.push(sector);
        self.sides.len() as u16 - 1
    }

    /// Its lumps in the order of Doom, its name first.
    pub fn lumps(&self) -> Vec<(String, Vec<u8>)> {
        let things = self.things.iter().flat_map(|&(x, y, degrees, kind, flags)| {
            words(&[x as u16, y as u16, degrees as u16, kind, flags])
        });
        let lines = self.lines.iter().flat_map(|line| {
            words(&[line.a, line.b, line.flags, line.special, line.tag, line.right, line.left])
        });
        let sides = self.sides.iter().flat_map(|&sector| [vec![b'-'; 28], words(&[sector])].concat());
        let vertices = self.vertices.iter().flat_map(|&(x, y)| words(&[x as u16, y as u16]));
        let sectors = self.sectors.iter().flat_map(|&(floor, ceiling, special, tag)| {
            [words(&[floor as u16, ceiling as u16]), vec![b'-'; 18], words(&[special, tag])].concat()
        });
        let mut lumps = vec![
            (self.name.clone(), Vec::new()),
            ("THINGS".to_owned(), things.collect()),
            ("LINEDEFS".to_owned(), lines.collect()),
            ("SIDEDEFS".to_owned(), sides.collect()),
            ("VERTEXES".to_owned(), vertices.collect()),
            ("SECTORS".to_owned(), sectors.collect()),
        ];
        lumps.extend(self.more.iter().map(|(name, bytes)| ((*name).to_owned(), bytes.clone())));
        lumps
    }

    /// A file with this map alone.
    pub fn wad(&self) -> Vec<u8> {
        wad(&self.lumps(), false)
    }
}

/// A file of lumps, with the directory before or after them.
pub fn wad(lumps: &[(String, Vec<u8>)], directory_first: bool) -> Vec<u8> {
    let directory_bytes = 16 * lumps.len();
    let mut at = if directory_first { 12 + directory_bytes } else { 12 };
    let (mut directory, mut data) = (Vec::new(), Vec::new());
    for (name, bytes) in lumps {
        directory.extend((at as u32).to_le_bytes());
        directory.extend((bytes.len() as u32).to_le_bytes());
        let mut field = [0; 8];
        field[..name.len()].copy_from_slice(name.as_bytes());
        directory.extend(field);
        data.extend_from_slice(bytes);
        at += bytes.len();
    }
    let directory_at = if directory_first { 12 } else { at };
    let mut file = b"PWAD".to_vec();
    file.extend((lumps.len() as u32).to_le_bytes());
    file.extend((directory_at as u32).to_le_bytes());
    let (first, second) = if directory_first { (directory, data) } else { (data, directory) };
    file.extend(first);
    file.extend(second);
    file
}

fn words(words: &[u16]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// Two rooms with a door between them, and one of everything.
///
/// | sector | what it is                                           |
/// |--------|------------------------------------------------------|
/// | 0      | the western room, 8 m by 8 m                         |
/// | 1      | the door                                             |
/// | 2      | the eastern room, with a higher ceiling              |
/// | 3      | a lift in it, tag 7                                  |
/// | 4      | a harmful pit in the western room, one side fenced   |
/// | 5      | where the teleporter of the western room leads, tag 9|
/// | 6      | a solid pillar in the eastern room                   |
/// | 7      | a floor that a switch would lower, tag 8             |
pub fn two_rooms() -> Draft {
    let mut draft = Draft { name: "MAP01".to_owned(), ..Draft::default() };
    let west = draft.sector(0, 128, 0, 0);
    let door = draft.sector(0, 0, 0, 0);
    let east = draft.sector(0, 160, 0, 0);
    let lift = draft.sector(64, 160, 0, 7);
    let pit = draft.sector(-32, 128, 7, 0);
    let target = draft.sector(8, 160, 0, 9);
    let pillar = draft.sector(48, 48, 0, 0);
    let lowering = draft.sector(96, 160, 0, 8);

    draft.path(&[(256, 96), (256, 0), (0, 0), (0, 256), (256, 256), (256, 160)], west, None);
    draft.line((256, 160), (256, 96), west, door).special = 1;
    draft.path(&[(256, 160), (288, 160)], door, None);
    draft.path(&[(288, 96), (256, 96)], door, None);
    draft.line((288, 96), (288, 160), east, door).special = 1;
    draft.path(&[(288, 160), (288, 256), (544, 256), (544, 0), (288, 0), (288, 96)], east, None);
    draft.island((320, 32), 64, lift, east);
    draft.island((32, 32), 64, pit, west);
    draft.island((448, 32), 64, target, east);
    draft.island((448, 160), 64, pillar, east);
    draft.island((320, 160), 64, lowering, east);
    let line_of = |draft: &Draft, a: (i16, i16), b: (i16, i16)| {
        let ends = |line: &DraftLine| (draft.vertices[line.a as usize], draft.vertices[line.b as usize]);
        draft.lines.iter().position(|line| ends(line) == (a, b)).expect("there is such a line")
    };
    let fenced = line_of(&draft, (32, 32), (32, 96));
    draft.lines[fenced].flags = 1;
    let switch = line_of(&draft, (320, 32), (320, 96));
    (draft.lines[switch].special, draft.lines[switch].tag) = (62, 7);
    let switch = line_of(&draft, (320, 160), (320, 224));
    (draft.lines[switch].special, draft.lines[switch].tag) = (23, 8);
    let teleporter = draft.line((128, 160), (128, 224), west, west);
    (teleporter.special, teleporter.tag) = (97, 9);
    draft.line((160, 160), (160, 224), west, west);

    draft.thing((200, 200), 90, 11, ALWAYS);
    draft.thing((500, 128), 180, 11, ALWAYS);
    draft.thing((200, 40), 0, 1, ALWAYS);
    draft.thing((480, 64), 270, 14, ALWAYS);
    for (at, kind) in [2001, 82, 2003, 2008, 2007, 2010, 17, 2012, 83].into_iter().enumerate() {
        draft.thing((120 + 8 * at as i16, 40), 0, kind, ALWAYS);
    }
    draft.thing((200, 60), 0, 2018, ALWAYS);
    draft.thing((200, 70), 0, 3001, ALWAYS);
    draft.thing((200, 80), 0, 31999, ALWAYS);
    draft
}
