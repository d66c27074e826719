//! Everything that can be wrong about a call is an error with a remedy, and changes nothing.

use std::ffi::{CStr, c_char};
use std::ptr::{null, null_mut};

use repertoire_c::*;

use crate::safe;
use crate::village::DESIGN;

fn villager() -> (RepertoireDesign, RepertoireMind) {
    let design = safe::load(DESIGN).unwrap();
    (design, safe::new_mind(design, 1, 1).unwrap())
}

fn refused<T: std::fmt::Debug>(result: safe::Result<T>, code: RepertoireCode, says: &str) {
    let refused = result.expect_err(says);
    assert_eq!(refused.code, code, "{}", refused.message);
    assert!(refused.message.contains(says), "{} does not say {says}", refused.message);
}

#[test]
fn versions_agree_with_the_header_and_the_package() {
    assert_eq!(repertoire_abi_version(), REPERTOIRE_ABI_VERSION);
    // SAFETY: it ends with a NUL and is never freed.
    let version = unsafe { CStr::from_ptr(repertoire_version()) };
    assert_eq!(version.to_str(), Ok(env!("CARGO_PKG_VERSION")));
}

#[test]
fn mistakes_in_a_design_come_with_file_line_and_remedy() {
    let text = DESIGN.replace("eased.sleep", "eased.slep");
    let (file, mut design) = (safe::c("village.toml"), 99);
    // SAFETY: the text has that length, the name ends with a NUL, and there is room for a handle.
    let code =
        unsafe { repertoire_design_load(text.as_ptr().cast(), text.len(), file.as_ptr(), &mut design) };
    assert_eq!((code, design), (REPERTOIRE_ERROR_MISTAKE, 99));
    let line = DESIGN.lines().position(|line| line.contains("eased.sleep")).unwrap() as u32 + 1;
    assert_eq!(repertoire_error_line(), line);
    assert!(repertoire_error_column() > 1);
    let message = safe::message();
    assert!(message.starts_with(&format!("village.toml:{line}:")), "{message}");
    assert!(
        message.contains("`slep` is not a task") && message.contains("did you mean `sleep`?"),
        "{message}"
    );
    refused(safe::load("name = 'a\u{0}b'"), REPERTOIRE_ERROR_MISTAKE, "remedy");
    let nul = DESIGN.replace("\"villager\"", "\"villager\\u0000\"");
    refused(safe::load(&nul), REPERTOIRE_ERROR_MISTAKE, "");
    assert_eq!(repertoire_mind_clear(5), REPERTOIRE_ERROR_HANDLE);
    assert_eq!(repertoire_error_line(), 0, "that was about no text");
}

#[test]
fn text_that_is_not_utf8_is_refused() {
    let (bytes, mut design) = ([0xffu8, 0xfe, 0], 0);
    // SAFETY: two bytes, NULL for no name, and room for a handle.
    let code = unsafe { repertoire_design_load(bytes.as_ptr().cast(), 2, null(), &mut design) };
    assert_eq!(code, REPERTOIRE_ERROR_TEXT);
    let (_, mind) = villager();
    // SAFETY: both end with a NUL.
    let code = unsafe { repertoire_mind_see(mind, bytes.as_ptr().cast(), c"near".as_ptr()) };
    assert_eq!(code, REPERTOIRE_ERROR_TEXT);
    assert!(safe::message().contains("`sensor` is not UTF-8"), "{}", safe::message());
}

#[test]
fn names_that_there_are_not_get_a_suggestion() {
    let (design, mind) = villager();
    refused(safe::see(mind, "wulf", "near"), REPERTOIRE_ERROR_NAME, "did you mean `wolf`?");
    refused(safe::see(mind, "wolf", "nera"), REPERTOIRE_ERROR_NAME, "did you mean `near`?");
    refused(safe::fact(mind, "purse", "ful"), REPERTOIRE_ERROR_NAME, "did you mean `full`?");
    refused(safe::offer(mind, "in", 1, 1.0), REPERTOIRE_ERROR_NAME, "did you mean `inn`?");
    refused(safe::need(mind, "hungr"), REPERTOIRE_ERROR_NAME, "did you mean `hunger`?");
    refused(safe::ease(mind, "thirst", 0.1), REPERTOIRE_ERROR_NAME, "there are hunger, fatigue");
    refused(safe::opine(mind, "elder", &[0.5; 4]), REPERTOIRE_ERROR_NAME, "its file declares none");
    let mut other = 7;
    // SAFETY: a name that ends with a NUL, and room for a handle.
    let code = unsafe { repertoire_mind_new_with_profile(design, c"glotton".as_ptr(), 1, 1, &mut other) };
    refused(safe::checked(code), REPERTOIRE_ERROR_NAME, "did you mean `glutton`?");
    assert_eq!(other, 7);
    // SAFETY: as above.
    let code = unsafe { repertoire_mind_new_with_profile(design, c"glutton".as_ptr(), 1, 1, &mut other) };
    assert_eq!(code, REPERTOIRE_OK);
    assert!(safe::report(other).unwrap().contains("not decided yet"));
    refused(safe::task_name(other), REPERTOIRE_ERROR_UNDECIDED, "tick it first");
}

#[test]
fn numbers_that_make_no_sense_are_refused() {
    let (_, mind) = villager();
    for bad in [&[0.5, 0.4][..], &[f64::NAN, 1.0], &[2.0, -1.0], &[1.0], &[0.2, 0.3, 0.5], &[]] {
        refused(safe::believe(mind, "wolf", bad), REPERTOIRE_ERROR_NUMBER, "wolf");
    }
    for bad in [-1.0, f64::NAN, f64::INFINITY] {
        refused(safe::offer(mind, "inn", 1, bad), REPERTOIRE_ERROR_NUMBER, "distance");
        // SAFETY: a name that ends with a NUL.
        let code = unsafe { repertoire_mind_set_need(mind, c"hunger".as_ptr(), bad) };
        refused(safe::checked(code), REPERTOIRE_ERROR_NUMBER, "from 0 to 1");
    }
    refused(safe::ease(mind, "hunger", f64::NAN), REPERTOIRE_ERROR_NUMBER, "NaN");
    assert_eq!(repertoire_mind_set(mind, 0, 2), REPERTOIRE_ERROR_INDEX);
    assert_eq!(repertoire_mind_set(mind, 1, 0), REPERTOIRE_ERROR_INDEX);
    assert_eq!(repertoire_mind_set(mind, u32::MAX, u32::MAX), REPERTOIRE_ERROR_INDEX);
    assert_eq!(repertoire_mind_set_fact(mind, 2, 0), REPERTOIRE_ERROR_INDEX);
    assert_eq!(repertoire_mind_set_fact(mind, 0, 65_536), REPERTOIRE_ERROR_INDEX);
    assert_eq!(repertoire_set_threads(1025), REPERTOIRE_ERROR_NUMBER);
    let before = safe::save(mind).unwrap();
    assert_eq!(before, safe::save(villager().1).unwrap(), "nothing has changed");
}

#[test]
fn a_voice_is_heard() {
    let design = safe::load(&format!("{DESIGN}\nopinions.elder = {{ weight = 20.0 }}\n")).unwrap();
    let mind = safe::new_mind(design, 1, 1).unwrap();
    safe::opine(mind, "elder", &[0.01, 0.97, 0.01, 0.01]).unwrap();
    safe::ticks(mind, 10);
    assert_eq!(safe::task_name(mind).unwrap(), "sleep");
    assert!(safe::report(mind).unwrap().contains("elder"));
    refused(safe::opine(mind, "elder", &[0.5; 3]), REPERTOIRE_ERROR_NUMBER, "each of the 4 tasks");
    assert_eq!(repertoire_mind_begin_life(mind), REPERTOIRE_OK);
    refused(safe::task_name(mind), REPERTOIRE_ERROR_UNDECIDED, "tick it first");
}

#[test]
fn freed_and_foreign_handles_are_errors_for_ever() {
    let (design, mind) = villager();
    assert_eq!(repertoire_mind_free(design), REPERTOIRE_ERROR_HANDLE, "{}", safe::message());
    assert_eq!(repertoire_design_free(mind), REPERTOIRE_ERROR_HANDLE);
    assert_eq!(repertoire_design_free(design), REPERTOIRE_OK);
    assert_eq!(repertoire_design_free(design), REPERTOIRE_ERROR_FREED);
    refused(safe::new_mind(design, 1, 1), REPERTOIRE_ERROR_FREED, "was freed");
    refused(safe::learn(design, "wolf,task\naway,eat\n"), REPERTOIRE_ERROR_FREED, "was freed");
    safe::tick(mind).unwrap();
    assert_eq!(repertoire_mind_free(mind), REPERTOIRE_OK);
    for _ in 0..100 {
        let (design, other) = villager();
        assert_ne!(other, mind);
        refused(safe::tick(mind), REPERTOIRE_ERROR_FREED, "was freed");
        assert_eq!(repertoire_mind_free(other), REPERTOIRE_OK);
        assert_eq!(repertoire_design_free(design), REPERTOIRE_OK);
    }
    for made_up in [0, 1, u64::MAX, 0xdead_beef, mind ^ (1 << 40)] {
        refused(safe::report(made_up), REPERTOIRE_ERROR_HANDLE, "");
    }
}

#[test]
fn every_pointer_is_checked_for_null() {
    let (design, mind) = villager();
    let (some, mut room, mut size) = (c"wolf".as_ptr(), 0u64, 0usize);
    let (nothing, mut number, mut level, mut name) = (null::<c_char>(), 0u32, 0.0, null());
    let mut deed = RepertoireDeed::default();
    // SAFETY: whatever is not NULL is as large as the calls ask for.
    let codes = unsafe {
        [
            repertoire_design_load(nothing, 1, nothing, &mut room),
            repertoire_design_load(some, 4, nothing, null_mut()),
            repertoire_design_learn(design, nothing, 1, nothing, &mut room),
            repertoire_design_learn(design, some, 4, nothing, null_mut()),
            repertoire_design_title(design, null_mut()),
            repertoire_design_count(design, 0, null_mut()),
            repertoire_design_name(design, 0, 0, null_mut()),
            repertoire_design_find(design, 0, nothing, &mut number),
            repertoire_design_find(design, 0, some, null_mut()),
            repertoire_design_value_count(design, 1, 0, null_mut()),
            repertoire_design_value_name(design, 1, 0, 0, null_mut()),
            repertoire_design_value_find(design, 1, 0, nothing, &mut number),
            repertoire_design_value_find(design, 1, 0, some, null_mut()),
            repertoire_mind_new(design, 1, 1, null_mut()),
            repertoire_mind_new_with_profile(design, nothing, 1, 1, &mut room),
            repertoire_mind_new_with_profile(design, c"glutton".as_ptr(), 1, 1, null_mut()),
            repertoire_minds_new(design, 1, 1, 3, null_mut()),
            repertoire_minds_free(null(), 3),
            repertoire_mind_see(mind, nothing, some),
            repertoire_mind_see(mind, some, nothing),
            repertoire_mind_believe(mind, nothing, &level, 1),
            repertoire_mind_believe(mind, some, null(), 2),
            repertoire_mind_lose(mind, nothing),
            repertoire_mind_fact(mind, nothing, some),
            repertoire_mind_fact(mind, some, nothing),
            repertoire_mind_offer(mind, nothing, 1, 1.0),
            repertoire_mind_opine(mind, nothing, &level, 1),
            repertoire_mind_opine(mind, some, null(), 4),
            repertoire_mind_tick(mind, null_mut()),
            repertoire_mind_deed(mind, null_mut()),
            repertoire_mind_task(mind, null_mut()),
            repertoire_mind_need(mind, nothing, &mut level),
            repertoire_mind_need(mind, c"hunger".as_ptr(), null_mut()),
            repertoire_mind_need_at(mind, 0, null_mut()),
            repertoire_mind_ease(mind, nothing, 0.1),
            repertoire_mind_set_need(mind, nothing, 0.1),
            repertoire_mind_report(mind, null_mut(), 5, &mut size),
            repertoire_mind_report(mind, null_mut(), 0, null_mut()),
            repertoire_mind_save(mind, null_mut(), 5, &mut size),
            repertoire_mind_save(mind, null_mut(), 0, null_mut()),
            repertoire_mind_restore(mind, null(), 5),
            repertoire_minds_tick(null(), 1, null(), 0, null(), 0, &mut deed),
            repertoire_minds_tick(&mind, 1, null(), 1, null(), 0, &mut deed),
            repertoire_minds_tick(&mind, 1, null(), 0, null(), 1, &mut deed),
            repertoire_minds_tick(&mind, 1, null(), 0, null(), 0, null_mut()),
        ]
    };
    for (at, code) in codes.into_iter().enumerate() {
        assert_eq!(code, REPERTOIRE_ERROR_POINTER, "call {at} of the list");
    }
    // SAFETY: nothing is read or written.
    let nothing_to_do = unsafe {
        [
            repertoire_minds_tick(null(), 0, null(), 0, null(), 0, null_mut()),
            repertoire_minds_new(design, 1, 1, 0, null_mut()),
            repertoire_minds_free(null(), 0),
        ]
    };
    assert_eq!(nothing_to_do, [REPERTOIRE_OK; 3], "an empty array may be NULL");
    // SAFETY: there is room for a pointer; the misaligned pointer is refused before it is used.
    unsafe {
        assert_eq!(repertoire_design_title(design, &mut name), REPERTOIRE_OK);
        let odd = (&raw mut room).cast::<u8>().wrapping_add(1).cast();
        assert_eq!(repertoire_mind_new(design, 1, 1, odd), REPERTOIRE_ERROR_POINTER);
        assert_eq!(repertoire_minds_new(design, 1, 1, usize::MAX, &mut room), REPERTOIRE_ERROR_SIZE);
        assert_eq!(repertoire_minds_new(design, 1, u64::MAX, 1, &mut room), REPERTOIRE_ERROR_INDEX);
    }
    assert!(safe::message().contains("numbers"), "{}", safe::message());
}

#[test]
fn names_and_numbers_lead_to_each_other() {
    let design = safe::load(DESIGN).unwrap();
    let lists = [
        (REPERTOIRE_TASKS, &["eat", "sleep", "work", "flee"][..]),
        (REPERTOIRE_SENSORS, &["wolf"]),
        (REPERTOIRE_NEEDS, &["hunger", "fatigue"]),
        (REPERTOIRE_FACTS, &["purse", "meal"]),
        (REPERTOIRE_KINDS, &["inn"]),
        (REPERTOIRE_PROFILES, &["glutton", "sleepy"]),
        (REPERTOIRE_VOICES, &[]),
    ];
    let (mut number, mut pointer) = (0, null());
    for (of, names) in lists {
        // SAFETY: there is room for a number.
        assert_eq!(unsafe { repertoire_design_count(design, of, &mut number) }, REPERTOIRE_OK);
        assert_eq!(number as usize, names.len());
        for (index, name) in names.iter().enumerate() {
            let wanted = safe::c(name);
            // SAFETY: a name that ends with a NUL, and room for a number and a pointer.
            unsafe {
                assert_eq!(repertoire_design_find(design, of, wanted.as_ptr(), &mut number), REPERTOIRE_OK);
                assert_eq!(repertoire_design_name(design, of, index as u32, &mut pointer), REPERTOIRE_OK);
                assert_eq!((number as usize, CStr::from_ptr(pointer)), (index, wanted.as_c_str()));
            }
        }
        // SAFETY: there is room for a pointer.
        let code = unsafe { repertoire_design_name(design, of, names.len() as u32, &mut pointer) };
        assert_eq!(code, REPERTOIRE_ERROR_INDEX);
    }
    // SAFETY: names that end with a NUL, and room for a number and a pointer.
    unsafe {
        assert_eq!(
            repertoire_design_value_find(design, REPERTOIRE_FACTS, 1, c"had".as_ptr(), &mut number),
            REPERTOIRE_OK
        );
        assert_eq!(number, 1);
        assert_eq!(
            repertoire_design_value_name(design, REPERTOIRE_SENSORS, 0, 1, &mut pointer),
            REPERTOIRE_OK
        );
        assert_eq!(CStr::from_ptr(pointer), c"near");
        assert_eq!(repertoire_design_value_count(design, REPERTOIRE_TASKS, 0, &mut number), REPERTOIRE_OK);
        assert_eq!(number, 0, "tasks have no values");
        let code = repertoire_design_value_find(design, REPERTOIRE_SENSORS, 0, c"neer".as_ptr(), &mut number);
        refused(safe::checked(code), REPERTOIRE_ERROR_NAME, "did you mean `near`?");
        assert_eq!(repertoire_design_count(design, 7, &mut number), REPERTOIRE_ERROR_INDEX);
        assert_eq!(repertoire_design_value_name(design, 1, 0, 2, &mut pointer), REPERTOIRE_ERROR_INDEX);
        // Names stay when their design is gone.
        assert_eq!(repertoire_design_title(design, &mut pointer), REPERTOIRE_OK);
        assert_eq!(repertoire_design_free(design), REPERTOIRE_OK);
        assert_eq!(CStr::from_ptr(pointer), c"villager");
    }
}

#[test]
fn a_buffer_that_is_too_small_says_how_large_it_must_be() {
    let (_, mind) = villager();
    safe::tick(mind).unwrap();
    let whole = safe::report(mind).unwrap();
    let (mut small, mut length) = ([b'#'; 10], 0);
    // SAFETY: ten bytes, and room for a length.
    let code = unsafe { repertoire_mind_report(mind, small.as_mut_ptr().cast(), 10, &mut length) };
    refused(safe::checked(code), REPERTOIRE_ERROR_BUFFER, "has 10 bytes");
    assert_eq!((length, small), (whole.len() + 1, [b'#'; 10]));
}

#[test]
fn states_of_other_designs_and_versions_are_refused() {
    let (_, mind) = villager();
    safe::ticks(mind, 5);
    let saved = safe::save(mind).unwrap();
    let text = String::from_utf8(saved.clone()).unwrap();
    let other =
        safe::new_mind(safe::load("name = \"cat\"\ntasks = [\"sit\", \"walk\"]\nstay = 0.5").unwrap(), 1, 1)
            .unwrap();
    refused(
        safe::restore(other, &saved),
        REPERTOIRE_ERROR_STATE,
        "saved as a villager, and this one is a cat",
    );
    let larger =
        DESIGN.replace("needs.hunger", "needs.thirst = { grows = 0.1, eased.work = 0.1 }\nneeds.hunger");
    let larger = safe::new_mind(safe::load(&larger).unwrap(), 1, 1).unwrap();
    refused(safe::restore(larger, &saved), REPERTOIRE_ERROR_STATE, "such needs");
    let newer = text.replace("\"format\":1", "\"format\":2");
    refused(safe::restore(mind, newer.as_bytes()), REPERTOIRE_ERROR_STATE, "saved in format 2");
    for broken in ["", "{}", "null", "[1,2]", &text[..text.len() / 2], &text.replace("\"draw\"", "\"drew\"")]
    {
        refused(safe::restore(mind, broken.as_bytes()), REPERTOIRE_ERROR_STATE, "no saved mind");
    }
    assert_eq!(safe::save(mind).unwrap(), saved, "it is as it was");
}

#[test]
fn texts_that_are_deep_or_huge_are_refused_without_ending_the_process() {
    let (_, mind) = villager();
    let deep = |open: &str, close: &str| open.repeat(100_000) + &close.repeat(100_000);
    refused(safe::load(&format!("name = {}", deep("[", "]"))), REPERTOIRE_ERROR_MISTAKE, "remedy");
    refused(safe::load(&format!("name = {}", deep("{a=", "}"))), REPERTOIRE_ERROR_MISTAKE, "remedy");
    refused(safe::load(&format!("{}\n", "a.".repeat(100_000) + "b = 1")), REPERTOIRE_ERROR_MISTAKE, "remedy");
    refused(safe::restore(mind, deep("[", "]").as_bytes()), REPERTOIRE_ERROR_STATE, "no saved mind");
    refused(
        safe::restore(mind, deep("{\"senses\":", "}").as_bytes()),
        REPERTOIRE_ERROR_STATE,
        "no saved mind",
    );
    let many: Vec<String> = (0..300).map(|k| format!("\"t{k}\"")).collect();
    let tasks = format!("name = \"many\"\ntasks = [{}]\nstay = 0.5\n", many.join(","));
    refused(safe::load(&tasks), REPERTOIRE_ERROR_MISTAKE, "remedy");
}

#[test]
fn learning_reads_tables_and_says_where_they_are_wrong() {
    let design = safe::load(DESIGN).unwrap();
    let mut diary = String::from("wolf,task\n");
    (0..200).for_each(|k| diary += if k % 20 < 5 { "near,sleep\n" } else { "away,work\n" });
    let learned = safe::learn(design, &diary).unwrap();
    let (mind, mut asleep) = (safe::new_mind(learned, 1, 1).unwrap(), 0);
    safe::see(mind, "wolf", "near").unwrap();
    for _ in 0..50 {
        safe::tick(mind).unwrap();
        asleep += u32::from(safe::task_name(mind).unwrap() == "sleep");
    }
    assert!(asleep > 25, "it learned to sleep when the wolf is near: {asleep} of 50 ticks");
    refused(safe::learn(design, ""), REPERTOIRE_ERROR_MISTAKE, "diary.csv:1:1: the table is empty");
    refused(safe::learn(design, "wolf,task\nnear,slep\n"), REPERTOIRE_ERROR_MISTAKE, "did you mean `sleep`?");
    assert_eq!((repertoire_error_line(), repertoire_error_column()), (2, 6));
}

#[test]
fn populations_refuse_what_does_not_fit_and_change_nothing() {
    let (design, _) = villager();
    let minds = safe::new_minds(design, 1, 0, 4).unwrap();
    let before: Vec<Vec<u8>> = minds.iter().map(|&mind| safe::save(mind).unwrap()).collect();
    let (ok, wrong) = ([0u16; 4], [0u16, 1, 2, 0]);
    refused(safe::tick_all(&minds, &[Some(&wrong)], &[]), REPERTOIRE_ERROR_INDEX, "sensor 0 of mind 2");
    refused(safe::tick_all(&minds, &[], &[None, Some(&wrong)]), REPERTOIRE_ERROR_INDEX, "fact 1 of mind 2");
    refused(
        safe::tick_all(&minds, &[Some(&ok), None], &[]),
        REPERTOIRE_ERROR_SIZE,
        "2 columns where the design has 1 sensors",
    );
    let twice = [minds[0], minds[1], minds[0]];
    refused(safe::tick_all(&twice, &[], &[]), REPERTOIRE_ERROR_MINDS, "comes twice");
    let mixed = [minds[0], villager().1];
    refused(
        safe::tick_all(&mixed, &[], &[]),
        REPERTOIRE_ERROR_MINDS,
        "mind 1 of the array is of another design",
    );
    refused(safe::tick_all(&[minds[0], 3], &[], &[]), REPERTOIRE_ERROR_HANDLE, "mind 1 of the array");
    // SAFETY: that many handles.
    let code = unsafe { repertoire_minds_free(twice.as_ptr(), 3) };
    refused(safe::checked(code), REPERTOIRE_ERROR_MINDS, "comes twice");
    // Deeds over the columns: refused before anything is written.
    let mut room = [0u16; 32];
    let first = room.as_mut_ptr();
    let aligned = first.wrapping_add(first.align_offset(8));
    let column = [aligned.cast_const()];
    // SAFETY: four handles, one column, and room for one deed of which the column would be the first bytes.
    let code =
        unsafe { repertoire_minds_tick(minds.as_ptr(), 1, column.as_ptr(), 1, null(), 0, aligned.cast()) };
    refused(safe::checked(code), REPERTOIRE_ERROR_SIZE, "`deeds` overlaps a column of readings");
    let after: Vec<Vec<u8>> = minds.iter().map(|&mind| safe::save(mind).unwrap()).collect();
    assert_eq!(before, after);
}
