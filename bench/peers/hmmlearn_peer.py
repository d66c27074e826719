"""Filter a hidden semi-Markov model with hmmlearn, on the equivalent chain of (place, steps in it).

Usage: python hmmlearn_peer.py PROBLEM.json

The problem: {"initial": [s], "exits": [s][[s', p], ...], "endings": [s][e-1], "likelihood": [t][s], "repeat": n},
where endings are the chances that a stay ends after e steps, the last of them 1. One JSON object goes to stdout:

    {"version": "...", "forward_ns_per_step": ..., "score_samples_ns_per_step": ..., "posterior": [t][s]}

What is timed, settled in hmmlearn's favour: building the chain and the likelihoods of its states come before, and the forward
pass alone is timed (its own compiled code, without the backward pass that its public interface adds) beside
score_samples, which is what a user would call. Times are the least of the repeats, divided by the number of steps.
"""

import json
import sys
import time

import hmmlearn
import numpy
from hmmlearn import _hmmc
from hmmlearn.base import BaseHMM


class Given(BaseHMM):
    """A chain whose likelihoods are given as they are."""

    def _compute_likelihood(self, X):
        return X

    def _compute_log_likelihood(self, X):
        return numpy.log(X)

    def _check(self):
        pass


def main() -> None:
    with open(sys.argv[1], encoding="utf-8") as file:
        problem = json.load(file)
    places, slots = len(problem["endings"]), len(problem["endings"][0])
    states = places * slots
    start = numpy.zeros(states)
    start[::slots] = problem["initial"]
    move = numpy.zeros((states, states))
    for s, endings in enumerate(problem["endings"]):
        for e, ending in enumerate(endings):
            if e + 1 < slots:
                move[s * slots + e, s * slots + e + 1] = 1.0 - ending
            for to, p in problem["exits"][s]:
                move[s * slots + e, to * slots] += ending * p
    frames = numpy.ascontiguousarray(numpy.repeat(numpy.array(problem["likelihood"]), slots, axis=1))
    steps = len(frames)

    model = Given(n_components=states, algorithm="viterbi", implementation="scaling")
    model.startprob_, model.transmat_ = start, move
    model.n_features = states

    def least(work) -> float:
        times = []
        for _ in range(problem["repeat"]):
            begin = time.perf_counter_ns()
            work()
            times.append(time.perf_counter_ns() - begin)
        return min(times) / steps

    _, lattice, _ = _hmmc.forward_scaling(start, move, frames)
    posterior = lattice / lattice.sum(axis=1, keepdims=True)
    posterior = posterior.reshape(steps, places, slots).sum(axis=2)
    forward = least(lambda: _hmmc.forward_scaling(start, move, frames))
    public = least(lambda: model.score_samples(frames))
    json.dump(
        {
            "version": hmmlearn.__version__,
            "forward_ns_per_step": forward,
            "score_samples_ns_per_step": public,
            "posterior": posterior.tolist(),
        },
        sys.stdout,
    )


if __name__ == "__main__":
    main()
