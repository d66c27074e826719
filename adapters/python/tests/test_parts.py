"""Every part answers, and answers what the theory says."""

import doctest
import importlib
import json
import pickle

import numpy as np
import pytest
import repertoire as rp

MODULES = ["", ".characters", ".places", ".planning", ".programs", ".towns"]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_in_docstrings_hold(name: str) -> None:
    module = importlib.import_module(f"repertoire{name}")
    failed, tried = doctest.testmod(module)
    assert failed == 0 and tried > 0


def test_every_door_answers_its_example() -> None:
    doors = rp.doors()
    assert len(doors) == 17
    for door in doors:
        assert rp.Door(door["name"]).ask(json.loads(door["example"]))
        assert door["question"] and door["answer"]


def test_a_program_answers_as_bayes_says() -> None:
    rain = rp.Program(
        {"rain": 2, "wet": 2},
        [rp.Factor(["rain"], np.array([0.7, 0.3])), rp.Factor(["wet"], [[0.9, 0.1], [0.2, 0.8]], ["rain"])],
    )
    asked = rain.ask(["rain"], {"wet": 1})
    joint = np.array([0.7 * 0.1, 0.3 * 0.8])
    assert np.allclose(asked.distribution, joint / joint.sum(), atol=1e-12)
    assert abs(asked.p_known - joint.sum()) < 1e-12


def test_opinions_that_rule_out_everything_are_a_contradiction() -> None:
    fused = rp.fuse([[1, 0], [0, 1]], ["prescriptive", "prescriptive"])
    assert fused.contradiction and fused.distribution.sum() == pytest.approx(1)


def test_a_hidden_markov_model_learns_and_explains() -> None:
    model = rp.HiddenMarkov([0.5, 0.5], [[0.9, 0.1], [0.2, 0.8]], [[[0.7, 0.3], [0.1, 0.9]]])
    sequence = [[0], [0], [1], [None], [1]]
    learned = model.learn([sequence], iterations=5)
    assert np.all(np.diff(learned.log_likelihood) >= -1e-9)
    assert np.allclose(learned.transition.sum(axis=1), 1)
    (posterior,) = model.posterior([sequence])
    assert posterior.shape == (5, 2) and np.allclose(posterior.sum(axis=1), 1)
    online = rp.learn_online(2, [2], [[0], [0], [1]], [[0.9, 0.1], [0.8, 0.2], [0.1, 0.9]])
    assert len(online["filtered"]) == 3


def test_a_town_lives_answers_why_and_goes_back() -> None:
    town = rp.LivingTown("western", inhabitants=60, seed=4)
    nine = town.until("day 1 09:00")
    why = town.why(17)
    assert why["who"] == 17 and why.doing and all(reason for _, reason in why.plan)
    dry = town.until("day 1 15:00", events=["day 1 10:00 dry well 4h"])
    assert dry["plans"] > nine["plans"] and town.until(540)["state_hash"] == nine["state_hash"]
    greedy = rp.LivingTown("western", inhabitants=60, seed=4, without=["plans"]).until("day 1 15:00")
    assert sum(greedy["goals_met"].values()) < sum(dry["goals_met"].values())
    with pytest.raises(rp.RepertoireError, match="no moment"):
        town.until("noonish")


def test_plans_are_found_or_it_is_said_why_not() -> None:
    planner = rp.Planner([2, 2], [rp.Action(0, 0, 1), rp.Action(1, 0, 1, prevail=[(0, 1)])])
    assert planner.solve([0, 0], [None, 1]).actions == [0, 1]
    refused = planner.solve([1, 1], [0, None])
    assert refused.actions is None and refused.why_not is not None
    town = rp.Town('name = "lamps"\n[variables]\nlamp = ["off", "on"]\n[actions]\nlight = "lamp: off -> on"\n[goals]\nlit = "lamp=on"\n')
    assert town.plan([{}, {"state": {"lamp": "on"}}]).plans == [["light"], []]


def test_chameleon_learns() -> None:
    example = json.loads(next(door for door in rp.doors() if door["name"] == "chameleon")["example"])
    character = rp.Chameleon(example["cards"], example["params"])
    before = character.explain(example["sequences"])["log_likelihood"][0]
    after = character.learn(example["sequences"], 5).explain(example["sequences"])["log_likelihood"][0]
    assert after > before


def test_places_grow_and_habits_have_distances() -> None:
    gas = rp.growing_gas([[0, 0, 0], [100, 0, 0], [40, 0, 0]])
    assert gas.nodes.shape[1] == 3
    assert rp.earth_movers_distance(np.array([0.5, 0.5, 0, 0]), [0, 0, 0.5, 0.5]) == pytest.approx(1)


@pytest.fixture
def rooms() -> rp.Dynamics:
    return rp.Dynamics([0, 1, 0], [[0, 1, 0], [0.5, 0, 0.5], [0, 1, 0]], [[0.5, 0.5], [1], [0.5, 0.5]])


def test_filters_agree_one_by_one_together_and_through_the_door(rooms: rp.Dynamics) -> None:
    rng = np.random.default_rng(1)
    likelihood = rng.uniform(0.1, 1, (20, 50, 3))  # step, filter, place
    together = rp.Filters(rooms, 50)
    out = np.zeros((50, 3))
    beliefs = [together.begin(likelihood[0]).copy()]
    for step in likelihood[1:]:
        given = together.step(step, out)
        assert given is out
        beliefs.append(out.copy())
    alone = rp.Filter(rooms)
    alone.begin(likelihood[0, 7])
    for step in likelihood[1:]:
        alone.step(step[7])
    assert np.array_equal(alone.belief, beliefs[-1][7])
    at_once, evidence = rp.filter_all(rooms, np.ascontiguousarray(likelihood[:, 7]))
    assert np.array_equal(at_once[-1], alone.belief) and evidence[-1] == alone.log_evidence == together.log_evidence[7]
    tracker = rp.Tracker([0, 1, 0], [[0, 1, 0], [0.5, 0, 0.5], [0, 1, 0]], [[0.5, 0.5], [1], [0.5, 0.5]])
    looked = tracker.look_back(likelihood[:, 7])
    assert np.allclose(looked.posterior, at_once, atol=1e-12) and len(looked.path) == 20
    crowd = tracker.crowd(2, np.ones((3, 3)) * 0.5, np.zeros((3, 3), int))
    assert crowd.expected_count.sum(axis=1) == pytest.approx([2, 2, 2])


def test_a_behaviour_decides_alike_for_one_and_for_columns() -> None:
    prudent = rp.Behaviour.load("prudent")
    told = prudent.decide("attack", {"health": "low", "enemies": "one"})
    assert sum(told.posterior.values()) == pytest.approx(1) and "health=low" in str(told)
    rng = np.random.default_rng(2)
    columns = {name: rng.integers(0, len(values), 40_000).astype(np.uint8) for name, values in prudent.sensors.items()}
    before = rng.integers(0, len(prudent.tasks), 40_000).astype(np.uint8)
    whole = before.copy()
    prudent.decide_all(columns, whole, seed=3, tick=9, first_agent=11)
    pieces = before.copy()
    for first in range(0, 40_000, 777):
        part = slice(first, first + 777)
        prudent.decide_all({name: column[part] for name, column in columns.items()}, pieces[part], 3, 9, 11 + first)
    assert np.array_equal(whole, pieces) and not np.array_equal(whole, before)
    rows = before.copy()
    prudent.decide_all(np.stack([columns[name] for name in prudent.sensors]), rows, 3, 9, 11)
    assert np.array_equal(rows, whole)


def test_a_design_learns_from_a_diary(village: rp.Design) -> None:
    diary = "wolf,task\n" + "away,work\nnear,flee\n" * 200
    learned = village.learn(diary, "diary.csv")
    deeds = rp.Mind(learned, 1).tick({"wolf": "away"})
    assert deeds.task in village.tasks
    with pytest.raises(rp.RepertoireError) as refused:
        village.learn("wolf,task\nawy,work\n", "diary.csv")
    assert (refused.value.file, refused.value.line) == ("diary.csv", 2) and "away" in str(refused.value.remedy)


def test_mistakes_carry_file_line_and_remedy() -> None:
    with pytest.raises(rp.RepertoireError) as refused:
        rp.Design('name = "x"\ntasks = ["a", "b"]\nstay = 0.5\nneeds.thirst = { grow = 0.5 }\n', "x.toml")
    error = refused.value
    assert (error.file, error.line) == ("x.toml", 4) and error.remedy == "did you mean `grows`?"
    again = pickle.loads(pickle.dumps(error))
    assert (again.line, again.remedy, str(again)) == (error.line, error.remedy, str(error))


def test_reports_are_dicts_text_and_pages(village: rp.Design) -> None:
    mind = rp.Mind(village, 1, 0)
    mind.tick(np.array([1]))
    report = mind.report()
    assert report.task == mind.doing.task and sum(report.posterior.values()) == pytest.approx(1)
    assert json.loads(json.dumps(report.to_dict()))["tasks"] == village.tasks
    assert "<table>" in report._repr_html_() and "probability" in str(report)


def test_rooms_and_motivations_answer() -> None:
    life = rp.Rooms("6.1.2-left", {"preferences": {"break": 2, "unlock": 0.8}}).run(1, 30)
    assert "actions" in life.to_dict()
    assert rp.motivation("multi", nb=2) > 1
    told = rp.deliberate([[0.8, 0.2], [0.3, 0.7]], 0, [{"likelihood": [[0.9, 0.1], [0.05, 0.95]], "reading": [0.4, 0.6]}])
    assert told.posterior.sum() == pytest.approx(1)
