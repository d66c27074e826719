"""The same questions to other Python libraries, through their own calls, in turns, in one run.

Needs hmmlearn, pyAgrum and pomegranate (which needs torch) beside the package; what is missing is left out, out loud.
"""

from __future__ import annotations

import importlib
import time
import warnings
from statistics import median
from typing import Any, Callable

import numpy as np
import repertoire as rp

warnings.filterwarnings("ignore")
ROUNDS, TICKS, STATES, VALUES = 15, 1000, 6, 8
Calls = dict[str, Callable[[], Any]]


def in_turns(what: str, calls: Calls) -> None:
    times: dict[str, list[int]] = {name: [] for name in calls}
    answers = {name: np.asarray(call(), dtype=float) for name, call in calls.items()}
    for _ in range(ROUNDS):
        for name, call in calls.items():
            start = time.perf_counter_ns()
            call()
            times[name].append(time.perf_counter_ns() - start)
    ours = median(times["repertoire"])
    for name, taken in times.items():
        off = float(np.max(np.abs(answers[name] - answers["repertoire"])))
        print(f"| {what} | {name} | {median(taken) / 1000:,.1f} | {median(taken) / ours:.2f} | {off:.1e} |")


def have(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except Exception as error:
        print(f"LEFT OUT: {name}: {error}")
        return None


def tables(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    pi = rng.dirichlet(np.ones(STATES))
    transition = rng.dirichlet(np.ones(STATES) * 2, STATES)
    emission = rng.dirichlet(np.ones(VALUES) * 2, STATES)
    return pi, transition, emission, rng.integers(0, VALUES, TICKS)


def posterior(hmmlearn: Any, pomegranate: Any) -> None:
    """P(state | whole sequence) of a hidden Markov model."""
    pi, transition, emission, seen = tables(np.random.default_rng(1))
    model = rp.HiddenMarkov(pi, transition, [emission])
    sequence = seen[:, None]
    calls: Calls = {"repertoire": lambda: model.posterior([sequence])[0]}
    if hmmlearn:
        theirs = importlib.import_module("hmmlearn.hmm").CategoricalHMM(STATES)
        theirs.startprob_, theirs.transmat_, theirs.emissionprob_, theirs.n_features = pi, transition, emission, VALUES
        calls["hmmlearn"] = lambda: theirs.predict_proba(seen[:, None])
    if pomegranate:
        torch = importlib.import_module("torch")
        torch.set_num_threads(2)
        DenseHMM = importlib.import_module("pomegranate.hmm").DenseHMM
        Categorical = importlib.import_module("pomegranate.distributions").Categorical
        rows = [Categorical([row.tolist()]) for row in emission]
        dense = DenseHMM(rows, edges=transition.tolist(), starts=pi.tolist(), ends=[1e-12] * STATES)
        batch = torch.tensor(seen[None, :, None])
        calls["pomegranate"] = lambda: dense.predict_proba(batch)[0].numpy()
    in_turns(f"states of {TICKS} ticks, all known", calls)


def learning(hmmlearn: Any) -> None:
    """Ten iterations of Baum-Welch."""
    pi, transition, emission, seen = tables(np.random.default_rng(2))
    model = rp.HiddenMarkov(pi, transition, [emission])
    sequence = seen[:, None]
    calls: Calls = {"repertoire": lambda: model.learn([sequence], 10).transition}
    if hmmlearn:
        CategoricalHMM = importlib.import_module("hmmlearn.hmm").CategoricalHMM

        def fit() -> Any:
            theirs = CategoricalHMM(STATES, n_iter=10, tol=-np.inf, init_params="")
            # The least prior that changes nothing.
            theirs.startprob_, theirs.transmat_ = pi.copy(), transition.copy()
            theirs.emissionprob_, theirs.n_features = emission.copy(), VALUES
            return theirs.fit(seen[:, None]).transmat_

        calls["hmmlearn"] = fit
    in_turns(f"10 iterations of EM on {TICKS} ticks", calls)


def question(pyagrum: Any, pomegranate: Any) -> None:
    """P(task | five sensors): one question to a network whose task explains what is sensed."""
    rng = np.random.default_rng(3)
    cards = [3, 4, 2, 5, 3]
    prior = rng.dirichlet(np.ones(STATES))
    sensors = [rng.dirichlet(np.ones(card), STATES) for card in cards]
    known = {f"s{k}": 1 for k in range(5)}
    factors = [rp.Factor(["task"], prior)] + [rp.Factor([f"s{k}"], table, ["task"]) for k, table in enumerate(sensors)]
    program = rp.Program({"task": STATES, **{f"s{k}": card for k, card in enumerate(cards)}}, factors)
    calls: Calls = {"repertoire": lambda: program.ask(["task"], known).distribution}
    if pyagrum:
        net = pyagrum.BayesNet()
        net.add(pyagrum.LabelizedVariable("task", "task", STATES))
        net.cpt("task").fillWith(prior.tolist())
        for k, (card, table) in enumerate(zip(cards, sensors)):
            net.add(pyagrum.LabelizedVariable(f"s{k}", f"s{k}", card))
            net.addArc("task", f"s{k}")
            net.cpt(f"s{k}")[:] = table
        engine = pyagrum.LazyPropagation(net)

        def infer() -> Any:
            engine.eraseAllEvidence()
            engine.setEvidence(known)
            return engine.posterior("task").toarray()

        calls["pyAgrum"] = infer
    if pomegranate:
        torch = importlib.import_module("torch")
        networks = importlib.import_module("pomegranate.bayesian_network")
        distributions = importlib.import_module("pomegranate.distributions")
        task = distributions.Categorical([prior.tolist()])
        others = [distributions.ConditionalCategorical([table.tolist()]) for table in sensors]
        net = networks.BayesianNetwork([task, *others], [(task, other) for other in others])
        values = torch.tensor([[-1, 1, 1, 1, 1, 1]])
        masked = torch.masked.MaskedTensor(values, mask=values >= 0)
        calls["pomegranate"] = lambda: net.predict_proba(masked)[0][0].numpy()
    in_turns("task from five sensors", calls)


def main() -> None:
    hmmlearn, pyagrum, pomegranate = have("hmmlearn"), have("pyagrum"), have("pomegranate")
    print("| question | library | µs | times ours | differs by at most |\n|---|---|---|---|---|")
    posterior(hmmlearn, pomegranate)
    learning(hmmlearn)
    question(pyagrum, pomegranate)


if __name__ == "__main__":
    main()
