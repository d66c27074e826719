//! Whole populations: the same bits on any number of threads, and columns.

use repertoire_c::*;

use crate::safe;
use crate::village::DESIGN;

/// What 1,000 villagers do for 60 ticks.
fn live() -> Vec<RepertoireDeed> {
    let design = safe::load(DESIGN).unwrap();
    let minds = safe::new_minds(design, 42, 100, 1000).unwrap();
    assert_eq!(repertoire_design_free(design), REPERTOIRE_OK, "minds outlive it");
    minds.iter().for_each(|&mind| safe::offer(mind, "inn", 1, 5.0).unwrap());
    let mut deeds = Vec::new();
    let mut purse = vec![0u16; 1000];
    for tick in 0..60u16 {
        let wolf: Vec<u16> = (0..1000).map(|k| if (k + tick) % 30 < 3 { 1 } else { 0 }).collect();
        let done = safe::tick_all(&minds, &[Some(&wolf)], &[Some(&purse), None]).unwrap();
        purse.iter_mut().zip(&done).for_each(|(purse, deed)| *purse = u16::from(deed.task == 2));
        deeds.extend(done);
    }
    // SAFETY: that many handles.
    assert_eq!(unsafe { repertoire_minds_free(minds.as_ptr(), minds.len()) }, REPERTOIRE_OK);
    assert!(safe::tick(minds[999]).is_err_and(|error| error.code == REPERTOIRE_ERROR_FREED));
    deeds
}

#[test]
fn any_number_of_threads_gives_the_same_deeds() {
    let deeds = [1, 2, 8, 0].map(|threads| {
        assert_eq!(repertoire_set_threads(threads), REPERTOIRE_OK);
        live()
    });
    assert!(deeds.iter().all(|other| *other == deeds[0]));
    assert!((0..4).all(|task| deeds[0].iter().any(|deed| deed.task == task)), "all tasks are done");
}

#[test]
fn a_population_does_what_its_minds_would_do_alone() {
    let design = safe::load(DESIGN).unwrap();
    let (together, alone) =
        (safe::new_minds(design, 9, 0, 300).unwrap(), safe::new_minds(design, 9, 0, 300).unwrap());
    for tick in 0..20u16 {
        let wolf: Vec<u16> =
            (0..300).map(|k| [0, 1, REPERTOIRE_NOTHING][usize::from((k + tick) % 3)]).collect();
        let deeds = safe::tick_all(&together, &[Some(&wolf)], &[]).unwrap();
        for (k, &mind) in alone.iter().enumerate() {
            match wolf[k] {
                REPERTOIRE_NOTHING => {
                    let wolf = safe::c("wolf");
                    // SAFETY: a name that ends with a NUL.
                    assert_eq!(unsafe { repertoire_mind_lose(mind, wolf.as_ptr()) }, REPERTOIRE_OK);
                }
                value => assert_eq!(repertoire_mind_set(mind, 0, u32::from(value)), REPERTOIRE_OK),
            }
            assert_eq!(safe::tick(mind).unwrap(), deeds[k]);
        }
    }
    for (&one, &other) in together.iter().zip(&alone) {
        assert_eq!(safe::save(one).unwrap(), safe::save(other).unwrap());
    }
}

#[test]
fn many_threads_may_call_at_once() {
    let design = safe::load(DESIGN).unwrap();
    let shared = safe::new_minds(design, 3, 0, 200).unwrap();
    let golden = live_alone(design, 77);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..5 {
                    // Populations that others tick too, and a mind of one's own, which nobody disturbs.
                    safe::tick_all(&shared, &[], &[]).unwrap();
                    assert_eq!(live_alone(design, 77), golden);
                    assert!(
                        safe::see(shared[0], "wulf", "near")
                            .unwrap_err()
                            .message
                            .contains("did you mean `wolf`")
                    );
                }
            });
        }
    });
}

fn live_alone(design: RepertoireDesign, agent: u64) -> Vec<u8> {
    let mind = safe::new_mind(design, 3, agent).unwrap();
    safe::ticks(mind, 30);
    let saved = safe::save(mind).unwrap();
    assert_eq!(repertoire_mind_free(mind), REPERTOIRE_OK);
    saved
}
