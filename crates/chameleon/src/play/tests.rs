use super::*;
use crate::params::Params;
use crate::population::{self, Population};
use repertoire_prob::Stream;

const MODEL: &str = r#"
name = "duel"
decisions = 3
[high.health]
edges = [35, 70]
[high.enemies]
edges = [1]
[low.player]
slots = 2
axes = [{ of = "yaw", edges = [-10, 10] }]
[low.ray]
axes = [{ of = "distance", edges = [1] }]
[reflexive.weapon]
values = ["weak", "strong"]
[reflexive.taunt]
values = ["no", "yes"]
group = "mood"
[external.fire]
values = ["no", "yes"]
group = "aim"
[external.yaw]
edges = [-10, 10]
seen_from = "stimulus"
group = "aim"
[external.walk]
values = ["back", "none", "ahead"]
group = "move"
"#;

fn learned(seed: u64) -> Learned {
    let model = crate::model::read(MODEL).unwrap();
    let mut stream = Stream::new(seed, 0, "play test");
    let mut params = Params::random(model.layout(), &mut stream);
    let weights = params.theta.iter_mut().chain(params.weights.iter_mut().flatten());
    weights.for_each(|weight| *weight = 0.1 + stream.unit());
    let mut learned = Learned::from_params(model, params).unwrap();
    learned.delay = crate::delay::Delay { ticks: vec![0.2, 0.3, 0.0, 0.5], held: 4.0 };
    learned
}

/// The stimuli of an agent at a tick, some of them not known.
fn stimuli(tick: u64, agent: u64) -> (Vec<u16>, Vec<Option<u16>>) {
    let mut stream = Stream::new(tick, agent, "stimuli");
    let mut draw = |count: f64| (stream.unit() * count) as u16;
    let high = vec![draw(3.0), draw(2.0)];
    let low = [3.0, 3.0, 2.0].map(|count| Some(draw(count)).filter(|_| draw(3.0) > 0));
    (high, low.to_vec())
}

#[test]
fn everybody_plays_the_same_alone_and_in_a_population() {
    let mut learned = learned(1);
    learned.sharpness = Sharpness::of(2.0, 1.0, 0.5);
    let agents = 600;
    let mut population = Population::new(&learned, agents);
    let mut alone: Vec<State> = vec![State::new(); agents];
    for tick in 0..12 {
        let (mut high, mut low) = (Vec::new(), Vec::new());
        for agent in 0..agents as u64 {
            let (h, l) = stimuli(tick, agent);
            high.extend(h);
            low.extend(l.into_iter().map(|value| value.unwrap_or(NONE)));
        }
        population.step(&learned, &high, &low, 7, tick);
        for agent in (0..agents).step_by(37) {
            let (h, l) = stimuli(tick, agent as u64);
            let one = alone[agent].step(&learned, &h, &l, population::key(7, tick, agent as u64));
            assert_eq!(population.decisions()[agent] as usize, one.decision);
            assert_eq!(population.high_attended()[agent] as usize, one.high);
            let slots: Vec<u16> = one.attended.iter().map(|a| a.slot.map_or(NONE, |s| s as u16)).collect();
            assert_eq!(population.attended()[agent * 3..(agent + 1) * 3], slots[..]);
            let reflexive: Vec<u16> = one.reflexive.iter().map(|choice| choice.value).collect();
            assert_eq!(population.reflexive()[agent * 2..(agent + 1) * 2], reflexive[..]);
            let external: Vec<u16> = one.external.iter().map(|c| c.map_or(NONE, |c| c.value)).collect();
            assert_eq!(population.external()[agent * 3..(agent + 1) * 3], external[..]);
        }
        if tick == 5 {
            population.end_life(37);
            alone[37].end_life();
        }
    }
}

#[test]
fn saved_in_mid_life_it_goes_on_the_same() {
    let learned = learned(2);
    let mut state = State::new();
    let step = |state: &mut State, tick: u64| {
        let (high, low) = stimuli(tick, 0);
        state.step(&learned, &high, &low, population::key(3, tick, 0))
    };
    (0..5).for_each(|tick| drop(step(&mut state, tick)));
    let mut restored: State = serde_json::from_str(&serde_json::to_string(&state).unwrap()).unwrap();
    for tick in 5..20 {
        assert_eq!(step(&mut state, tick), step(&mut restored, tick));
    }
    let file = serde_json::to_string(&learned.to_file()).unwrap();
    let again = Learned::from_file(serde_json::from_str(&file).unwrap()).unwrap();
    assert_eq!(again, learned);
}

#[test]
fn ticks_are_drawn_as_often_as_their_probabilities_say() {
    let learned = learned(3);
    let (high, low) = (vec![1, 0], vec![Some(2), None, Some(0)]);
    let layout = learned.model.layout();
    let ticks: Vec<Tick> = (0..40_000).map(|k| choose(&learned, Some(1), &high, &low, k.into())).collect();
    let share = |of: &dyn Fn(&Tick) -> bool| ticks.iter().filter(|tick| of(tick)).count() as f64 / 40_000.0;
    let first = &ticks[0];
    assert!((first.high_attention.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    for i in 0..2 {
        assert!((share(&|tick| tick.high == i) - first.high_attention[i]).abs() < 0.01);
    }
    // P(decision, walk) summed over what was attended to.
    for decision in 0..3 {
        let mut p = 0.0;
        for (i, &value) in high.iter().enumerate() {
            let row = layout.high_row(i, value.into());
            p += first.high_attention[i] * learned.params().next[(row * 3 + 1) * 3 + decision];
        }
        assert!((share(&|tick| tick.decision == decision) - p).abs() < 0.015);
    }
    assert!(
        ticks.iter().all(|tick| tick.attended.iter().skip(1).all(|attended| attended.slot != Some(1))),
        "slot 1 is not known"
    );
}

#[test]
fn nothing_known_is_no_external_action() {
    let learned = learned(4);
    let tick = choose(&learned, None, &[0, 0], &[None, None, None], 9u64.into());
    assert_eq!(tick.external, [None, None, None]);
    assert!(tick.attended[1..].iter().all(|attended| attended.slot.is_none()));
    assert_eq!(tick.reflexive.len(), 2);
}

#[test]
fn sharpening_leads_to_the_likeliest() {
    let mut learned = learned(5);
    learned.sharpness = Sharpness::of(1e5, 1e5, 1e5);
    let (high, low) = (vec![2, 1], vec![Some(0), Some(1), Some(1)]);
    let ticks: Vec<Tick> = (0..50).map(|k| choose(&learned, Some(0), &high, &low, k.into())).collect();
    assert!(
        ticks.iter().all(|tick| tick.decision == ticks[0].decision && tick.external == ticks[0].external)
    );
    let likeliest = repertoire_prob::draw::arg_max(&ticks[0].decisions);
    assert_eq!(ticks[0].decision, likeliest);
}

#[test]
fn what_is_perceived_is_what_was_there_a_delay_ago() {
    let mut learned = learned(6);
    learned.delay = crate::delay::Delay::of(3);
    // Without enemies the player is not known: whether there is an external action tells when it was perceived.
    let mut state = State::new();
    let mut acted = Vec::new();
    for tick in 0..8u64 {
        let low = if tick >= 2 { vec![Some(0), None, None] } else { vec![None; 3] };
        let found = state.step(&learned, &[0, 0], &low, tick);
        acted.push(found.external[0].is_some());
        assert_eq!(u64::from(found.delay), tick.min(3));
    }
    assert_eq!(acted, [false, false, false, false, false, true, true, true]);
}

#[test]
fn a_long_life_meets_each_delay_as_often_as_its_distribution_says() {
    let delay = crate::delay::Delay { ticks: vec![0.1, 0.6, 0.3], held: 5.0 };
    let (mut now, mut met, mut changes) = (None, [0u32; 3], 0);
    for tick in 0..200_000u64 {
        let next = delay.next(now, counter(11, tick));
        changes += u32::from(now.is_some_and(|now| now != next));
        met[usize::from(next)] += 1;
        now = Some(next);
    }
    for (met, p) in met.iter().zip(&delay.ticks) {
        assert!((f64::from(*met) / 200_000.0 - p).abs() < 0.01, "{met} for {p}");
    }
    // One draw in five, and 1 - Σ p² of them change something.
    assert!((f64::from(changes) / 200_000.0 - 0.2 * (1.0 - 0.46)).abs() < 0.01);
}

#[test]
fn a_population_allocates_nothing_after_the_first_ticks() {
    let learned = learned(8);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build().unwrap();
    let mut population = Population::new(&learned, 100);
    let (high, low) = (vec![0; 200], [1, NONE, 0].repeat(100));
    let mut step = |tick| population.step(&learned, &high, &low, 1, tick);
    pool.install(|| (0..3).for_each(&mut step));
    let counted = allocation_counter::measure(|| pool.install(|| (3..6).for_each(&mut step)));
    // rayon's own bookkeeping aside, a scratch for each piece of a tick.
    assert!(counted.count_total <= 3 * 4, "{counted:?}");
}

#[test]
fn a_group_may_be_sharper_than_the_others() {
    let plain = learned(4);
    let mut sharp = plain.clone();
    sharp.sharpness.groups = vec![1.0, 1e5, 1.0];
    let (mut likeliest, mut ticks) = (0, 0);
    for tick in 0..200 {
        let (high, low) = stimuli(tick, 3);
        let [plain, sharp] = [&plain, &sharp].map(|learned| State::new().step(learned, &high, &low, tick));
        assert_eq!(plain.decision, sharp.decision);
        for other in [0, 2] {
            assert_eq!(plain.attended[other], sharp.attended[other], "only the second group is sharp");
        }
        let Attended { slot: Some(slot), attention } = &sharp.attended[1] else { continue };
        assert!(attention.iter().all(|&other| other <= attention[*slot]), "it attends to the likeliest");
        ticks += 1;
        likeliest += u32::from(plain.attended[1].slot == Some(*slot));
    }
    assert!(ticks > 100 && likeliest < ticks, "{likeliest} of {ticks}: the other draws");
    sharp.sharpness.groups[1] = -1.0;
    assert!(sharp.sharpness.mistake().is_some_and(|what| what.contains("-1")));
}
