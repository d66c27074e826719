"""Answer benchmark questions with pyAgrum's exact inference engines.

Usage: python pyagrum_peer.py SCENARIOS.json

Every scenario of the input is one Bayesian network with questions about it:

    {"scenarios": [{"name": "...", "variables": ["A", "B"], "card": {"A": 2, "B": 3},
                    "factors": [{"left": ["B"], "given": ["A"], "table": [...]}, ...],
                    "searched": ["B"], "questions": [{"A": 1}, ...], "repeat": 100}]}

A factor is P(left | given) with exactly one left variable; its table is nested,
the given axes first, in order, and the left axis last. All the questions of a
scenario observe the same variables. One JSON object goes to stdout:

    {"peer": "pyagrum", "version": "...",
     "scenarios": [{"name": "...", "engine": "...", "ns_per_question": ...,
                    "all_engines": {"LazyPropagation": ..., ...},
                    "answers": [[...] or null, ...]}]}

An answer is the posterior of the searched variables, flattened in the asked
order with the last variable fastest; it is null if the evidence has probability
zero. "engine" is the fastest engine, and the answers are its own.

What is timed, settled in pyAgrum's favour wherever there is a choice:
  * Building the network and the engine, declaring the targets (only the asked
    ones) and a complete warm-up round come before.
  * An engine is kept from question to question and told, through chgEvidence,
    only what differs from the previous question; these differences are prepared
    in advance. If nothing differs, all the evidence is entered again so that the
    engine has work to do. (With nothing observed it repeats a stored answer.)
  * The clock stops with the posterior in a pyAgrum tensor: reading it out and
    putting its axes in order are not timed.
  * A round is all the questions in turn. The figure is the median of `repeat`
    rounds divided by the number of questions, with the garbage collector off.
  * The number of threads and the other settings are pyAgrum's defaults.
"""

import gc
import json
import statistics
import sys
import time

import numpy as np
import pyagrum as gum
from pyagrum import markov_random_field as mrf

# Name -> engine, and what turns the network into the model the engine works on.
# The Markov random field has the conditional tables of the network as factors.
ENGINES = {
    "LazyPropagation": (gum.LazyPropagation, lambda bn: bn),
    "ShaferShenoyInference": (gum.ShaferShenoyInference, lambda bn: bn),
    "VariableElimination": (gum.VariableElimination, lambda bn: bn),
    "ShaferShenoyMRFInference": (mrf.ShaferShenoyMRFInference, mrf.MarkovRandomField.fromBN),
}


def check(scenario):
    """Raise ValueError for a scenario that breaks the rules above."""
    questions = scenario["questions"]
    if sorted(f["left"] for f in scenario["factors"]) != sorted([v] for v in scenario["variables"]):
        raise ValueError("every variable must be the one left variable of one factor")
    if not questions or any(q.keys() != questions[0].keys() for q in questions):
        raise ValueError("there must be questions, all observing the same variables")
    if questions[0].keys() & set(scenario["searched"]):
        raise ValueError("a searched variable is observed")


def build_network(scenario):
    bn = gum.BayesNet()
    for name in scenario["variables"]:
        bn.add(gum.LabelizedVariable(name, name, scenario["card"][name]))
    for factor in scenario["factors"]:
        for parent in factor["given"]:
            bn.addArc(parent, factor["left"][0])
    for factor in scenario["factors"]:
        axes = factor["given"] + factor["left"]
        table = np.asarray(factor["table"], dtype=np.float64)
        cpt = bn.cpt(factor["left"][0])
        # The first variable of a tensor is its fastest, hence the last numpy axis.
        order = [axes.index(name) for name in reversed(cpt.names)]
        cpt.fillWith(np.ascontiguousarray(table.transpose(order)))
    return bn


def possible_questions(bn, questions):
    """Tell for each question whether its evidence has a nonzero probability.

    Engines leave out evidence that is irrelevant to their targets even when it
    is impossible, so this has to be asked separately.
    """
    engine = gum.LazyPropagation(bn)
    result = []
    for question in questions:
        engine.setEvidence(question)
        try:
            result.append(engine.evidenceProbability() > 0.0)
        except gum.IncompatibleEvidence:
            result.append(False)
    return result


def prepare(make, model, scenario):
    """Return an engine at the last question, its getter, its target and the steps.

    A step is what changes from a question to the next, as (node, value) pairs;
    the first question follows the last one, as rounds do.
    """
    engine = make(model)
    searched, questions = scenario["searched"], scenario["questions"]
    engine.eraseAllTargets()
    if len(searched) == 1:
        engine.addTarget(searched[0])
        get, target = engine.posterior, model.idFromName(searched[0])
    else:
        engine.addJointTarget(set(searched))
        get, target = engine.jointPosterior, {model.idFromName(name) for name in searched}
    engine.setEvidence(questions[-1])
    steps = []
    for before, now in zip(questions[-1:] + questions[:-1], questions):
        changed = {name: value for name, value in now.items() if before[name] != value}
        steps.append([(model.idFromName(name), v) for name, v in (changed or now).items()])
    return engine, get, target, steps


def play_round(engine, get, target, steps):
    """Answer every question once: nanoseconds, and tensors (None if impossible)."""
    change, impossible = engine.chgEvidence, gum.IncompatibleEvidence
    tensors = []
    keep = tensors.append
    start = time.perf_counter_ns()
    for step in steps:
        for node, value in step:
            change(node, value)
        try:
            keep(get(target))
        except impossible:
            keep(None)
    return time.perf_counter_ns() - start, tensors


def flatten(tensor, searched):
    """Return the values in the order of searched, last fastest (None for None)."""
    if tensor is None:
        return None
    # Axes come in any order, even from one question to the next, and may include
    # other variables that have a single value: those go last.
    axes = list(reversed(tensor.names))
    order = [axes.index(name) for name in searched]
    order += [i for i, name in enumerate(axes) if name not in searched]
    return tensor.toarray().transpose(order).ravel().tolist()


def run_engine(name, bn, scenario):
    """Return the median nanoseconds per question of an engine, and its answers."""
    make, convert = ENGINES[name]
    model = convert(bn)  # kept in a variable: engines and tensors only refer to it
    prepared = prepare(make, model, scenario)
    _, tensors = play_round(*prepared)
    answers = [flatten(tensor, scenario["searched"]) for tensor in tensors]
    gc.collect()
    gc.disable()
    rounds = [play_round(*prepared)[0] for _ in range(scenario["repeat"])]
    gc.enable()
    return statistics.median(rounds) / len(answers), answers


def run_scenario(scenario):
    check(scenario)
    bn = build_network(scenario)
    results = {name: run_engine(name, bn, scenario) for name in ENGINES}
    best = min(results, key=lambda name: results[name][0])
    possible = possible_questions(bn, scenario["questions"])
    return {
        "name": scenario["name"],
        "engine": best,
        "ns_per_question": results[best][0],
        "all_engines": {name: ns for name, (ns, _) in results.items()},
        "answers": [answer if ok else None for ok, answer in zip(possible, results[best][1])],
    }


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: python pyagrum_peer.py SCENARIOS.json")
    with open(sys.argv[1], encoding="utf-8") as file:
        scenarios = json.load(file)["scenarios"]
    done = [run_scenario(scenario) for scenario in scenarios]
    print(json.dumps({"peer": "pyagrum", "version": gum.__version__, "scenarios": done}))


if __name__ == "__main__":
    main()
