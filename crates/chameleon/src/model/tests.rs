use super::*;

const SMALL: &str = r#"
name = "small"
decisions = 2
[high.health]
edges = [35, 70]
attention = [5, 1, 1]
[low.player]
slots = 2
attention = 3
axes = [
  { of = "yaw", edges = [-90, 0, 90], circular = true, attention = [1, 2, 2, 1] },
  { of = "moving", values = ["still", "left", "right"], step = 0.5 },
]
[low.ray]
[reflexive.weapon]
values = ["weak", "strong"]
[external.yaw]
seen_from = "stimulus"
group = "aim"
range = [-180, 180]
edges = [-10, 10]
[external.walk]
values = ["back", "none", "ahead"]
"#;

#[test]
fn a_model_says_what_was_written() {
    let model = read(SMALL).unwrap();
    assert_eq!((model.name(), model.decisions(), model.slots()), ("small", 2, &[0, 0, 1][..]));
    assert_eq!(model.high()[0].count(), 3);
    assert_eq!(model.low()[0].count(), 12);
    assert_eq!(model.low()[1].count(), 1, "a stimulus without axes has one value");
    assert_eq!(model.groups(), ["aim", "actions"]);
    let yaw = &model.external()[0];
    assert_eq!((yaw.seen_from, yaw.group, yaw.range), (SeenFrom::Stimulus, Some(0), Some((-180.0, 180.0))));
    let shares = [170.0 / 360.0, 20.0 / 360.0, 170.0 / 360.0];
    assert!(yaw.measure.iter().zip(shares).all(|(share, right)| (share - right).abs() < 1e-12));
    assert_eq!(model.external()[1].group, Some(1));
    assert_eq!(model.reflexive()[0].group, None);
}

#[test]
fn a_high_level_stimulus_may_be_of_several_things() {
    let axes = r#"
[high.hand]
axes = [{ of = "armed", values = ["no", "yes"], step = 4 }, { of = "enemy_distance", edges = [4, 14] }]
"#;
    let model = read(&format!("{SMALL}{axes}")).unwrap();
    let hand = &model.high()[1];
    assert_eq!((hand.name.as_str(), hand.count()), ("hand", 6));
    assert_eq!(hand.label(5), "armed yes, enemy_distance >=14");
    assert_eq!(hand.distance(0, 5), 6.0);
    for (more, what) in [
        ("edges = [1]", "something beside them"),
        ("from = \"armed\"", "something beside them"),
        ("attention = [1, 2, 3, 4, 5, 6]", "a weight for each value"),
    ] {
        let mistake = read(&format!("{SMALL}{axes}{more}\n")).unwrap_err().to_string();
        assert!(mistake.contains(what), "{mistake}");
    }
}

#[test]
fn values_are_bins_and_words() {
    let model = read(SMALL).unwrap();
    let player = &model.low()[0];
    let value = player.value(&[player.axes[0].bin(12.0), player.axes[1].bins.word("left").unwrap()]);
    assert_eq!(value, 2 * 3 + 1);
    assert_eq!((player.on_axis(value, 0), player.on_axis(value, 1)), (2, 1));
    assert_eq!(player.label(value), "yaw 0..90, moving left");
    assert_eq!(player.attention(value), 6.0);
    let health = &model.high()[0].axes[0];
    assert_eq!([34.9, 35.0, 70.0, f64::NAN, f64::INFINITY].map(|x| health.bin(x)), [0, 1, 2, 0, 2]);
    assert_eq!(model.external()[0].bins.bounds(2, (-180.0, 180.0)), (10.0, 180.0));
}

#[test]
fn the_distance_between_values_goes_round_and_counts_words_as_one_step() {
    let model = read(SMALL).unwrap();
    let player = &model.low()[0];
    let value = |yaw, moving| player.value(&[yaw, moving]);
    assert_eq!(
        player.distance(value(0, 0), value(3, 0)),
        1.0,
        "behind to the right lies beside behind to the left"
    );
    assert_eq!(player.distance(value(0, 0), value(2, 2)), 2.5);
    assert_eq!(player.distance(value(1, 1), value(1, 1)), 0.0);
}

#[test]
fn every_shipped_model_can_be_read() {
    for (name, _) in MODELS {
        let model = shipped(name).unwrap();
        assert_eq!(model.name(), name);
    }
    assert!(shipped("nobody").is_none());
}

#[test]
fn mistakes_say_where_and_what_would_be_right() {
    let with = |from: &str, to: &str| read(&SMALL.replace(from, to)).unwrap_err();
    let mut answers = String::new();
    for (from, to) in [
        ("decisions = 2", "decisions = 0"),
        ("edges = [35, 70]", "edges = [70, 35]"),
        ("edges = [35, 70]", "edges = [35, 70]\nvalues = [\"low\"]"),
        ("attention = [5, 1, 1]", "attention = [5, 1]"),
        ("attention = [5, 1, 1]", "attention = -1"),
        ("slots = 2", "slots = 0"),
        ("slots = 2", "slot = 2"),
        ("step = 0.5", "step = nan"),
        ("range = [-180, 180]", "range = [-5, 5]"),
        ("range = [-180, 180]", "measure = [1, 2]"),
        ("[\"weak\", \"strong\"]", "[\"weak\", \"weak\"]"),
        ("[\"weak\", \"strong\"]", "[]"),
        ("seen_from = \"stimulus\"", "seen_from = \"above\""),
        ("[high.health]\nedges = [35, 70]\nattention = [5, 1, 1]", "[high]"),
    ] {
        answers += &format!("{from} -> {to}\n{}\n\n", with(from, to)).replace('\n', "\n  ");
    }
    insta::assert_snapshot!(answers);
}
