//! What can only be tried from within: panics that no input is known to lead to.

use std::sync::Arc;

use repertoire_mind::game::{Character, Design};

use crate::border::guard;
use crate::fault::last_text;
use crate::house::{self, Kind, with_mind};
use crate::*;

fn cats() -> Arc<Kind> {
    let text = "name = \"cat\"\ntasks = [\"sit\", \"walk\"]\nstay = 0.5\n";
    Kind::new(Design::parse(text).unwrap_or_else(|mistake| panic!("{mistake}"))).unwrap()
}

fn cat(kind: &Arc<Kind>, agent: u64) -> RepertoireMind {
    house::minds_mut().insert(house::born(kind, Character::new(&kind.design, 1, agent))).unwrap()
}

#[test]
fn a_panic_becomes_a_code_and_a_message() {
    assert_eq!(guard(|| panic!("the {} burnt", "soup")), REPERTOIRE_ERROR_DEFECT);
    assert!(last_text().contains("the soup burnt"), "{}", last_text());
    assert_eq!(guard(|| panic!("plain")), REPERTOIRE_ERROR_DEFECT);
    assert!(last_text().contains("plain"));
    assert_eq!(guard(|| std::panic::panic_any(7)), REPERTOIRE_ERROR_DEFECT);
    assert_eq!(guard(|| Ok(())), REPERTOIRE_OK);
}

#[test]
fn a_mind_that_broke_says_so_until_it_is_restored_and_others_go_on() {
    let kind = cats();
    let minds: Vec<RepertoireMind> = (0..300).map(|agent| cat(&kind, agent)).collect();
    let (mut deed, mut deeds) = (RepertoireDeed::default(), vec![RepertoireDeed::default(); 300]);
    let (mut saved, mut length) = (vec![0; 10_000], 0);
    let tick_all = |deeds: &mut Vec<RepertoireDeed>| {
        let (none, room) = (std::ptr::null(), deeds.as_mut_ptr());
        call::minds_tick(minds.as_ptr(), 300, none, 0, none, 0, room)
    };
    assert_eq!(call::save(minds[200], saved.as_mut_ptr(), saved.len(), &mut length), REPERTOIRE_OK);

    assert_eq!(guard(|| with_mind(minds[200], |_, _| panic!("ouch"))), REPERTOIRE_ERROR_DEFECT);
    assert_eq!(call::tick(minds[200], &mut deed), REPERTOIRE_ERROR_BROKEN);
    assert_eq!(tick_all(&mut deeds), REPERTOIRE_ERROR_BROKEN);
    assert!(last_text().contains("mind 200 of the array"), "{}", last_text());
    let broken: Vec<usize> = (0..300).filter(|&at| deeds[at].task == REPERTOIRE_NO_TASK).collect();
    assert_eq!(broken, [200]);

    assert_eq!(call::restore(minds[200], saved.as_ptr(), length), REPERTOIRE_OK);
    assert_eq!(call::tick(minds[200], &mut deed), REPERTOIRE_OK);
    assert_eq!(tick_all(&mut deeds), REPERTOIRE_OK);
    assert!(deeds.iter().all(|deed| deed.task < 2));
    assert_eq!(repertoire_mind_free(minds[200]), REPERTOIRE_OK);
    assert_eq!(repertoire_mind_free(minds[200]), REPERTOIRE_ERROR_FREED);
}

#[test]
fn memory_for_deciding_is_used_again_and_lost_in_a_panic() {
    let kind = cats();
    let mind = cat(&kind, 1);
    let mut deed = RepertoireDeed::default();
    (0..5).for_each(|_| assert_eq!(call::tick(mind, &mut deed), REPERTOIRE_OK));
    assert_eq!(kind.spare_count(), 1);
    assert_eq!(guard(|| kind.with_scratch(|_| panic!("ouch"))), REPERTOIRE_ERROR_DEFECT);
    assert_eq!(kind.spare_count(), 0);
}

/// The calls of this test, with the memory they ask for.
#[allow(unsafe_code, reason = "calls of the C interface")]
mod call {
    use super::*;

    pub fn tick(mind: RepertoireMind, deed: &mut RepertoireDeed) -> RepertoireCode {
        // SAFETY: there is room for a deed.
        unsafe { repertoire_mind_tick(mind, deed) }
    }

    pub fn save(
        mind: RepertoireMind,
        buffer: *mut u8,
        capacity: usize,
        length: &mut usize,
    ) -> RepertoireCode {
        // SAFETY: the test has a buffer of that capacity.
        unsafe { repertoire_mind_save(mind, buffer, capacity, length) }
    }

    pub fn restore(mind: RepertoireMind, bytes: *const u8, length: usize) -> RepertoireCode {
        // SAFETY: the test has that many bytes.
        unsafe { repertoire_mind_restore(mind, bytes, length) }
    }

    pub fn minds_tick(
        minds: *const RepertoireMind,
        count: usize,
        readings: *const *const u16,
        sensors: usize,
        facts: *const *const u16,
        fact_count: usize,
        deeds: *mut RepertoireDeed,
    ) -> RepertoireCode {
        // SAFETY: the test has that many minds and deeds, and no columns.
        unsafe { repertoire_minds_tick(minds, count, readings, sensors, facts, fact_count, deeds) }
    }
}
