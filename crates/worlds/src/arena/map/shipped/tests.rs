use super::*;
use crate::arena::map::file;

#[test]
fn every_map_reads() {
    for (name, text) in SHIPPED {
        match file::read(text) {
            Ok(authored) => assert_eq!(authored.map.name, name),
            Err(mistake) => panic!("{name}.toml:{mistake}"),
        }
    }
}
