"""CHAMELEON's EM in NumPy: the same E-step and M-step, to be timed against ours.

Usage: python chameleon_peer.py PROBLEM.json

The problem is a line of `repertoire ask chameleon` with one sequence, and "repeat": n. One JSON object goes to stdout:

    {"version": "...", "plain_ns": ..., "vectorised_ns": ..., "log_likelihood": [...], "plain_log_likelihood": [...]}

Two implementations, since people write both. Plain: the equations tick by tick, arrays over decisions. Vectorised: everything
that does not go from tick to tick is done for all ticks at once, and only the two recursions are loops. In both, tables lie flat with
rows of all stimuli numbered together, as ours do, and reading the problem comes before. Times are of the fastest iteration: processor
time, which is no longer than what a clock on the wall shows, since NumPy does all of this on one thread.
"""

import json
import sys
import time

import numpy as np


class Em:
    """Numbers as flat tables whose first axis is a row: a value of a stimulus."""

    def __init__(self, problem):
        cards, params = problem["cards"], problem["params"]
        self.d = cards["D"]
        self.high_first = np.concatenate([[0], np.cumsum(cards["H"])])[:-1].astype(int)
        self.low_first = np.concatenate([[0], np.cumsum(cards["L"])])[:-1].astype(int)
        self.theta = np.concatenate([np.array(t, float) for t in params["theta"]])
        self.lam = np.concatenate([np.array(t, float).T for t in params["lam"]])  # [row][d]
        self.m1 = np.concatenate([np.array(t, float) for t in params["m1"]])  # [row][d]
        self.m = np.concatenate([np.array(t, float) for t in params["m"]])  # [row][d'][d]
        self.n = [np.concatenate([np.array(t, float) for t in u]) for u in params["n"]]  # [row][d][r]
        self.o = [np.concatenate([np.array(t, float) for t in f]) for f in params["o"]]  # [row][d][e]
        sequence = problem["sequences"][0]
        self.rows = np.array(sequence["H"], int) + self.high_first  # [t][i]
        self.slots = np.array(sequence["L"], int) + self.low_first  # [t][j]
        self.known = np.array(sequence["K"], float)  # [t][j]
        self.done = np.array(sequence["R"], int)  # [t][u]
        self.acted = np.array(sequence["E"], int)  # [t][f]

    def expect(self):
        rows, slots, d = self.rows, self.slots, self.d
        ticks = len(rows)
        theta = self.theta[rows]
        z = theta.sum(1, keepdims=True)
        own = np.repeat((theta / z)[:, :, None], d, axis=2)  # [t][i][d]
        for u, table in enumerate(self.n):
            own *= table[rows, :, self.done[:, u, None]]
        weight = self.lam[slots] * self.known[:, :, None]  # [t][j][d]
        explained = weight.copy()
        for f, table in enumerate(self.o):
            explained *= table[slots, :, self.acted[:, f, None]]
        total, all_weight = explained.sum(1), weight.sum(1)  # [t][d]
        nothing = self.known.sum(1) == 0
        all_weight[nothing], total[nothing] = 1.0, 1.0
        emit = total / all_weight
        # A decision that explains nothing of a tick has no share in it.
        share = explained / np.where(total > 0.0, total, 1.0)[:, None, :]
        move = np.einsum("tid,tied->ted", own, self.m[rows])  # [t][d'][d]
        alpha, scale = np.empty((ticks, d)), np.empty(ticks)
        now = (own[0] * self.m1[rows[0]]).sum(0) * emit[0]
        for t in range(ticks):
            if t:
                now = (alpha[t - 1] @ move[t]) * emit[t]
            scale[t] = now.sum()
            alpha[t] = now / scale[t]
        beta = np.empty((ticks, d))
        beta[-1] = 1.0
        for t in range(ticks - 1, 0, -1):
            beta[t - 1] = move[t] @ (emit[t] * beta[t] / scale[t])
        rest = emit * beta / scale[:, None]
        after = own * rest[:, None, :]  # [t][i][d]
        xi = alpha[:-1, None, :, None] * self.m[rows[1:]] * after[1:, :, None, :]  # [t][i][d'][d]
        high = np.empty_like(own)
        high[0] = after[0] * self.m1[rows[0]]
        high[1:] = xi.sum(2)
        decision = alpha * beta
        low = share * decision[:, None, :] * self.known[:, :, None]  # [t][j][d]
        over = decision / all_weight
        return np.log(scale).sum(), z, high, low, xi, over

    def maximise(self, z, high, low, xi, over, a=2.0, b=1.0):
        rows, slots, d = self.rows, self.slots, self.d
        count = np.zeros_like(self.m1)
        np.add.at(count, rows[0], high[0])
        divide(self.m1, count)
        count = np.zeros_like(self.m)
        np.add.at(count, rows[1:], xi)
        divide(self.m, count)
        for u, table in enumerate(self.n):
            count = np.zeros_like(table)
            np.add.at(count, (rows[:, :, None], np.arange(d), self.done[:, u, None, None]), high)
            divide(table, count)
        for f, table in enumerate(self.o):
            count = np.zeros_like(table)
            np.add.at(count, (slots[:, :, None], np.arange(d), self.acted[:, f, None, None]), low)
            divide(table, count)
        used, met = np.zeros_like(self.theta), np.zeros_like(self.theta)
        np.add.at(used, rows, high.sum(2))
        np.add.at(met, rows, np.broadcast_to(1.0 / z, rows.shape))
        self.theta = (a - 1.0 + used) / (b + met)
        used, met = np.zeros_like(self.lam), np.zeros_like(self.lam)
        np.add.at(used, slots, low)
        np.add.at(met, slots, over[:, None, :] * self.known[:, :, None])
        self.lam = (a - 1.0 + used) / (b + met)


class Plain(Em):
    """The equations as they stand: a loop over ticks, arrays over decisions."""

    def expect(self):
        rows, slots, d = self.rows, self.slots, self.d
        ticks, stimuli, things = len(rows), rows.shape[1], slots.shape[1]
        own, low = np.empty((ticks, stimuli, d)), np.zeros((ticks, things, d))
        z, over = np.empty((ticks, 1)), np.zeros((ticks, d))
        emit = np.ones((ticks, d))
        alpha, beta, scale = np.empty((ticks, d)), np.ones((ticks, d)), np.empty(ticks)
        high, xi = np.empty((ticks, stimuli, d)), np.empty((ticks - 1, stimuli, d, d))
        for t in range(ticks):
            z[t] = self.theta[rows[t]].sum()
            for i, row in enumerate(rows[t]):
                own[t, i] = self.theta[row] / z[t]
                for u, table in enumerate(self.n):
                    own[t, i] *= table[row, :, self.done[t, u]]
            known = [j for j in range(things) if self.known[t, j]]
            if known:
                total = sum(self.lam[slots[t, j]] for j in known)
                over[t] = 1.0 / total
                for j in known:
                    low[t, j] = self.lam[slots[t, j]]
                    for f, table in enumerate(self.o):
                        low[t, j] *= table[slots[t, j], :, self.acted[t, f]]
                emit[t] = low[t].sum(0) / total
                low[t] /= np.where(emit[t] > 0.0, emit[t] * total, 1.0)
            now = np.zeros(d)
            for i, row in enumerate(rows[t]):
                high[t, i] = own[t, i] * (self.m1[row] if t == 0 else alpha[t - 1] @ self.m[row])
                now += high[t, i]
            now *= emit[t]
            scale[t] = now.sum()
            alpha[t] = now / scale[t]
        for t in range(ticks - 1, -1, -1):
            rest = emit[t] * beta[t] / scale[t]
            high[t] *= rest
            decision = alpha[t] * beta[t]
            low[t] *= decision
            over[t] *= decision
            if t:
                beta[t - 1] = 0.0
                for i, row in enumerate(rows[t]):
                    after = self.m[row] * (own[t, i] * rest)
                    beta[t - 1] += after.sum(1)
                    xi[t - 1, i] = alpha[t - 1][:, None] * after
        return np.log(scale).sum(), z, high, low, xi, over

    def maximise(self, z, high, low, xi, over, a=2.0, b=1.0):
        rows, slots = self.rows, self.slots
        used = [np.zeros_like(table) for table in [self.m1, self.m, self.theta, self.lam, *self.n, *self.o]]
        m1, m, theta, lam = used[:4]
        n, o = used[4 : 4 + len(self.n)], used[4 + len(self.n) :]
        theta_over, lam_over = np.zeros_like(theta), np.zeros_like(lam)
        for t in range(len(rows)):
            for i, row in enumerate(rows[t]):
                theta[row] += high[t, i].sum()
                theta_over[row] += 1.0 / z[t, 0]
                if t:
                    m[row] += xi[t - 1, i]
                else:
                    m1[row] += high[t, i]
                for u, table in enumerate(n):
                    table[row, :, self.done[t, u]] += high[t, i]
            for j, row in enumerate(slots[t]):
                if self.known[t, j]:
                    lam[row] += low[t, j]
                    lam_over[row] += over[t]
                    for f, table in enumerate(o):
                        table[row, :, self.acted[t, f]] += low[t, j]
        for table, count in zip([self.m1, self.m, *self.n, *self.o], [m1, m, *n, *o]):
            divide(table, count)
        self.theta = (a - 1.0 + theta) / (b + theta_over)
        self.lam = (a - 1.0 + lam) / (b + lam_over)


def divide(table, count):
    total = count.sum(-1, keepdims=True)
    np.divide(count, total, out=table, where=total > 0.0)


def timed(kind, problem):
    """Nanoseconds of processor time of the fastest iteration, and the log-likelihoods."""
    least, curve = float("inf"), []
    for _ in range(problem["repeat"]):
        em, curve = kind(problem), []
        for _ in range(problem["iterations"]):
            begin = time.process_time_ns()
            log_likelihood, *found = em.expect()
            em.maximise(*found)
            least = min(least, time.process_time_ns() - begin)
            curve.append(log_likelihood)
        curve.append(em.expect()[0])
    return least, curve


def main() -> None:
    with open(sys.argv[1], encoding="utf-8") as file:
        problem = json.load(file)
    vectorised, curve = timed(Em, problem)
    plain, plain_curve = timed(Plain, problem)
    json.dump(
        {
            "version": np.__version__,
            "plain_ns": plain,
            "vectorised_ns": vectorised,
            "log_likelihood": curve,
            "plain_log_likelihood": plain_curve,
        },
        sys.stdout,
    )


if __name__ == "__main__":
    main()
