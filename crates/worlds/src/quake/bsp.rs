//! Quake's map files, version 29.
//!
//! A file that is cut off, damaged or something else is refused with the part that is wrong; trees are checked for loops, so that
//! nothing that is read here can hang or overflow the stack.

use std::fmt::Write as _;
use std::io::Read as _;

use flate2::read::MultiGzDecoder;

use super::Vec3;
use super::entity::{self, Entity};
use super::hull::{Hull, Node, Plane};

const VERSION: u32 = 29;
/// A small file may unpack to something endless; no map has more bytes.
const LARGEST: u64 = 1 << 28;
/// Files have the boxes of models a unit smaller on every side than what they are made of; the game puts that back, too.
const SPREAD: f32 = 1.0;
/// Trees are at most this deep; real ones stay below 100.
const DEEPEST: usize = 2000;

/// Why a map cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}\n  remedy: {remedy}")]
pub struct BspError {
    /// What is wrong.
    pub what: String,
    /// What would be right.
    pub remedy: &'static str,
}

fn wrong(what: impl Into<String>) -> BspError {
    BspError {
        what: what.into(),
        remedy: "give a whole map of Quake (BSP version 29); fetch or build it again",
    }
}

/// A part of the map that is one piece: 0 is the world, the others are doors, lifts, buttons and triggers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Model {
    /// Lower corner of the box around it.
    pub low: Vec3,
    /// Upper corner.
    pub high: Vec3,
    /// Roots of hull 0 and hull 1.
    pub roots: [i32; 2],
    /// Its faces, as a range of [`Bsp::faces`].
    pub faces: [u32; 2],
}

/// A map.
#[derive(Clone, Debug, PartialEq)]
pub struct Bsp {
    /// Planes of all trees.
    pub planes: Vec<Plane>,
    drawn: Vec<Node>,
    clip: Vec<Node>,
    /// The world and what moves in it.
    pub models: Vec<Model>,
    /// Faces as polygons, for pictures.
    pub faces: Vec<Vec<Vec3>>,
    /// What the map's text says of things in it.
    pub entities: Vec<Entity>,
}

impl Bsp {
    /// A map of parts that are known to be right.
    pub(super) fn of_parts(
        planes: Vec<Plane>,
        [drawn, clip]: [Vec<Node>; 2],
        models: Vec<Model>,
        entities: Vec<Entity>,
    ) -> Self {
        Bsp { planes, drawn, clip, models, faces: Vec::new(), entities }
    }

    /// The faces of a model; none if there is no such model.
    pub fn faces_of(&self, model: usize) -> &[Vec<Vec3>] {
        let [first, count] = self.models.get(model).map_or([0, 0], |model| model.faces.map(|n| n as usize));
        self.faces.get(first..first + count).unwrap_or_default()
    }

    /// Reads a map that may be packed by gzip.
    ///
    /// # Errors
    /// As [`Bsp::read`], and when it cannot be unpacked.
    pub fn read_packed(bytes: &[u8]) -> Result<Self, BspError> {
        if !bytes.starts_with(&[0x1f, 0x8b]) {
            return Self::read(bytes);
        }
        let mut unpacked = Vec::new();
        MultiGzDecoder::new(bytes)
            .take(LARGEST)
            .read_to_end(&mut unpacked)
            .map_err(|error| wrong(format!("it cannot be unpacked: {error}")))?;
        Self::read(&unpacked)
    }

    /// Reads a map that is not packed.
    ///
    /// # Errors
    /// When it is no map of version 29, or damaged.
    pub fn read(bytes: &[u8]) -> Result<Self, BspError> {
        let version = bytes.first_chunk::<4>().map(|word| u32::from_le_bytes(*word));
        match version {
            Some(VERSION) => {}
            Some(30) => return Err(wrong("this is a map of Half-Life (BSP version 30), not of Quake")),
            Some(word) if word == u32::from_le_bytes(*b"IBSP") => {
                return Err(wrong("this is a map of Quake 2 or 3 (IBSP), not of Quake"));
            }
            Some(word) if word == u32::from_le_bytes(*b"BSP2") => {
                return Err(wrong("this is a map for modern Quake engines (BSP2), which is not supported"));
            }
            _ => return Err(wrong("this is no map of Quake: it does not begin with version 29")),
        }
        let file = File { bytes };
        let planes = file.records(1, 20, "planes", plane)?;
        let leaves = file.records(10, 28, "leaves", |record| Ok(record.i32(0)))?;
        let drawn = file.records(5, 24, "nodes", |record| {
            let child = |at: usize| {
                let child = i32::from(record.i16(at));
                match child {
                    0.. => Ok(child),
                    _ => leaves
                        .get((-1 - child) as usize)
                        .copied()
                        .ok_or_else(|| wrong("a node has a leaf that is not there")),
                }
            };
            Ok(Node { plane: record.u32(0), children: [child(4)?, child(6)?] })
        })?;
        let clip = file.records(9, 8, "clip nodes", |record| {
            Ok(Node { plane: record.u32(0), children: [4, 6].map(|at| i32::from(record.i16(at))) })
        })?;
        let models = file.records(14, 64, "models", model)?;
        if models.is_empty() {
            return Err(wrong("the map has no world: its list of models is empty"));
        }
        let map = Bsp {
            faces: faces(&file)?,
            entities: entity::parse(file.lump(0, "entities")?),
            planes,
            drawn,
            clip,
            models,
        };
        map.check()?;
        Ok(map)
    }

    /// Refuses trees with loops, and numbers of things that are not there.
    fn check(&self) -> Result<(), BspError> {
        for (which, nodes) in [&self.drawn, &self.clip].into_iter().enumerate() {
            let mut depth = vec![0_u16; nodes.len()];
            for node in nodes {
                if node.plane as usize >= self.planes.len() {
                    return Err(wrong("a node has a plane that is not there"));
                }
                if node.children.iter().any(|&child| child >= 0 && child as usize >= nodes.len()) {
                    return Err(wrong("a node has a child that is not there"));
                }
            }
            for model in &self.models {
                let root = model.roots[which];
                if root >= 0 && root as usize >= nodes.len() {
                    return Err(wrong("a model has a root that is not there"));
                }
                refuse_loops(nodes, root, &mut depth)?;
            }
        }
        let faces = self.faces.len() as u64;
        match self.models.iter().all(|model| u64::from(model.faces[0]) + u64::from(model.faces[1]) <= faces) {
            true => Ok(()),
            false => Err(wrong("a model has faces that are not there")),
        }
    }

    /// What is drawn of a model: sight, shots, liquids.
    pub fn drawn_hull(&self, model: usize) -> Hull<'_> {
        Hull { nodes: &self.drawn, planes: &self.planes, root: self.models[model].roots[0] }
    }

    /// What bodies of players meet of a model.
    pub fn body_hull(&self, model: usize) -> Hull<'_> {
        Hull { nodes: &self.clip, planes: &self.planes, root: self.models[model].roots[1] }
    }

    /// The map as a file of version 29 that has what matches need: trees, planes, models and things, without faces, textures and
    /// lights.
    pub fn write(&self) -> Vec<u8> {
        let mut lumps: [Vec<u8>; 15] = Default::default();
        lumps[0] = entity::write(&self.entities);
        for plane in &self.planes {
            plane.normal.iter().chain([&plane.distance]).for_each(|part| lumps[1].extend(part.to_le_bytes()));
            lumps[1].extend(plane.axis.map_or(3, u32::from).to_le_bytes());
        }
        // A leaf for each kind of contents, in such an order that a child's number is that of its contents.
        for contents in (-16..=-1_i32).rev() {
            lumps[10].extend(contents.to_le_bytes());
            lumps[10].extend([0; 24]);
        }
        for (lump, nodes, rest) in [(5, &self.drawn, 16), (9, &self.clip, 0)] {
            for node in nodes {
                lumps[lump].extend(node.plane.to_le_bytes());
                for &child in &node.children {
                    let child = if child < -16 { -1 } else { child };
                    lumps[lump].extend((child as i16).to_le_bytes());
                }
                lumps[lump].extend(std::iter::repeat_n(0, rest));
            }
        }
        for model in &self.models {
            let corners =
                model.low.map(|part| part + SPREAD).into_iter().chain(model.high.map(|part| part - SPREAD));
            corners.for_each(|part| lumps[14].extend(part.to_le_bytes()));
            lumps[14].extend([0; 12]);
            model.roots.iter().for_each(|root| lumps[14].extend(root.to_le_bytes()));
            lumps[14].extend([0; 20]);
        }
        let mut file = VERSION.to_le_bytes().to_vec();
        let mut at = 4 + 8 * lumps.len();
        for lump in &lumps {
            file.extend((at as u32).to_le_bytes());
            file.extend((lump.len() as u32).to_le_bytes());
            at += lump.len();
        }
        lumps.iter().for_each(|lump| file.extend(lump));
        file
    }

    /// The map in a few lines.
    pub fn describe(&self) -> String {
        let mut text = String::new();
        let Model { low, high, .. } = self.models[0];
        let size = [0, 1, 2].map(|axis| high[axis] - low[axis]);
        let _ = writeln!(
            text,
            "{:.0} x {:.0} x {:.0} units, {} nodes drawn, {} for bodies, {} moving parts, {} faces",
            size[0],
            size[1],
            size[2],
            self.drawn.len(),
            self.clip.len(),
            self.models.len() - 1,
            self.faces.len()
        );
        for (kind, count) in entity::kinds(&self.entities) {
            let _ = writeln!(text, "  {count:3} {kind}");
        }
        text
    }
}

/// Walks a tree and fails where it comes back to where it was. `depth` remembers the height of what was walked before.
fn refuse_loops(nodes: &[Node], root: i32, depth: &mut [u16]) -> Result<(), BspError> {
    const UNDER_WAY: u16 = u16::MAX;
    let Ok(root) = usize::try_from(root) else { return Ok(()) };
    let mut stack = vec![(root, 0_usize)];
    while let Some((node, next)) = stack.pop() {
        if stack.len() > DEEPEST {
            return Err(wrong("a tree of planes is deeper than any map's"));
        }
        if next == 0 {
            match depth[node] {
                0 => depth[node] = UNDER_WAY,
                UNDER_WAY => return Err(wrong("a tree of planes goes round in a circle")),
                _ => continue,
            }
        }
        if next < 2 {
            stack.push((node, next + 1));
            if let Ok(child) = usize::try_from(nodes[node].children[next]) {
                stack.push((child, 0));
            }
            continue;
        }
        let below =
            nodes[node].children.iter().map(|&child| usize::try_from(child).map_or(0, |child| depth[child]));
        let height = 1 + below.max().unwrap_or(0);
        if usize::from(height) > DEEPEST {
            return Err(wrong("a tree of planes is deeper than any map's"));
        }
        depth[node] = height;
    }
    Ok(())
}

/// The file's parts.
struct File<'a> {
    bytes: &'a [u8],
}

impl<'a> File<'a> {
    fn lump(&self, number: usize, name: &str) -> Result<&'a [u8], BspError> {
        let head = Record(
            self.bytes.get(4 + 8 * number..12 + 8 * number).ok_or_else(|| wrong("its head is cut off"))?,
        );
        let (from, length) = (head.u32(0) as usize, head.u32(4) as usize);
        let range = from..from.saturating_add(length);
        self.bytes
            .get(range)
            .ok_or_else(|| wrong(format!("its {name} lie beyond the end of the file: it was cut off")))
    }

    fn records<T>(
        &self,
        number: usize,
        size: usize,
        name: &str,
        read: impl Fn(Record<'a>) -> Result<T, BspError>,
    ) -> Result<Vec<T>, BspError> {
        let lump = self.lump(number, name)?;
        if lump.len() % size != 0 {
            return Err(wrong(format!("its {name} are no whole number of records")));
        }
        lump.chunks_exact(size).map(|chunk| read(Record(chunk))).collect()
    }
}

/// A record of fixed size; places are known to lie in it.
struct Record<'a>(&'a [u8]);

impl Record<'_> {
    fn word<const N: usize>(&self, at: usize) -> [u8; N] {
        std::array::from_fn(|k| self.0[at + k])
    }
    fn u16(&self, at: usize) -> u16 {
        u16::from_le_bytes(self.word(at))
    }
    fn i16(&self, at: usize) -> i16 {
        i16::from_le_bytes(self.word(at))
    }
    fn u32(&self, at: usize) -> u32 {
        u32::from_le_bytes(self.word(at))
    }
    fn i32(&self, at: usize) -> i32 {
        i32::from_le_bytes(self.word(at))
    }
    fn point(&self, at: usize) -> Result<Vec3, BspError> {
        let point = [0, 4, 8].map(|k| f32::from_le_bytes(self.word(at + k)));
        match point.iter().all(|part| part.abs() < 1e6) {
            true => Ok(point),
            false => Err(wrong("a coordinate is no place on a map")),
        }
    }
}

fn plane(record: Record<'_>) -> Result<Plane, BspError> {
    let normal = record.point(0)?;
    let distance = f32::from_le_bytes(record.word(12));
    if !distance.is_finite() {
        return Err(wrong("a plane is infinitely far away"));
    }
    let axis = record.u32(16);
    Ok(Plane { normal, distance, axis: u8::try_from(axis).ok().filter(|&axis| axis < 3) })
}

fn model(record: Record<'_>) -> Result<Model, BspError> {
    Ok(Model {
        low: record.point(0)?.map(|part| part - SPREAD),
        high: record.point(12)?.map(|part| part + SPREAD),
        roots: [record.i32(36), record.i32(40)],
        faces: [record.u32(56), record.u32(60)],
    })
}

fn faces(file: &File<'_>) -> Result<Vec<Vec<Vec3>>, BspError> {
    let vertices = file.records(3, 12, "vertices", |record| record.point(0))?;
    let edges = file.records(12, 4, "edges", |record| Ok([record.u16(0), record.u16(2)]))?;
    let used = file.records(13, 4, "used edges", |record| Ok(record.i32(0)))?;
    let total = used.len();
    let mut budget = 4 * total + 1000;
    file.records(7, 20, "faces", |record| Ok((record.i32(4), record.i16(8))))?
        .into_iter()
        .map(|(first, count)| {
            let lost = || wrong("a face has edges that are not there");
            let first = usize::try_from(first).map_err(|_| lost())?;
            let count = usize::try_from(count).map_err(|_| lost())?;
            // Damaged faces may all claim the same edges; whole ones share none.
            budget = budget.checked_sub(count).ok_or_else(lost)?;
            let range = used.get(first..first + count).ok_or_else(lost)?;
            range
                .iter()
                .map(|&edge| {
                    let ends = edges.get(edge.unsigned_abs() as usize).ok_or_else(lost)?;
                    let vertex = ends[usize::from(edge < 0)];
                    vertices.get(usize::from(vertex)).copied().ok_or_else(lost)
                })
                .collect()
        })
        .collect()
}
