"""Long work on many machines: tournaments, judgements, learning and practice in shards, with the bits of one machine.

We write no scheduler. A *mapper* takes a function and a list of arguments and yields ``(index, result)`` as results arrive, in any
order; that is all a driver needs:

====================  =============================================================================================
``local()``           this process (``threads=n`` for several pieces at once)
``on_ray(address)``   Ray tasks; joins the cluster at ``address``, or the one that ``ray.init()`` began, or begins one
``on_dask(client)``   Dask tasks
any function          ``mapper(function, arguments) -> iterable of (index, result)``
====================  =============================================================================================

Every result is committed to ``work`` in one move as it arrives. A worker or a whole machine that dies costs the pieces it was
busy with, which are done again elsewhere. A driver that dies is started again with the same arguments: nothing that was committed is done
twice, and the result has the same bits. ``work`` and recordings are paths that all machines see (NFS, or one machine's disk), or
``s3://bucket/prefix``: see `repertoire.storage`.
"""

from __future__ import annotations

import json
import os
import re
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import Any, Callable, Iterable, Iterator, Sequence

from . import _native, storage
from .errors import RepertoireError
from .play import Imitation, Path, _paths
from .progress import Progress, teller
from .reports import BelievableCard, LearningReport, TournamentReport

#: Applies a function to each of a list of arguments and yields ``(index, result)`` as they arrive.
Mapper = Callable[[Callable[..., Any], Sequence["tuple[Any, ...]"]], Iterable["tuple[int, Any]"]]


def local(threads: int = 1) -> Mapper:
    """Does everything in this process."""

    def run(function: Callable[..., Any], arguments: Sequence[tuple[Any, ...]]) -> Iterator[tuple[int, Any]]:
        if threads <= 1:
            yield from ((k, function(*one)) for k, one in enumerate(arguments))
            return
        with ThreadPoolExecutor(threads) as pool:
            futures = {pool.submit(function, *one): k for k, one in enumerate(arguments)}
            for future in as_completed(futures):
                yield futures[future], future.result()

    return run


def on_ray(address: str | None = None, *, retries: int = -1, **options: Any) -> Mapper:
    """Ray tasks, one CPU each. ``retries`` is how often a piece is done again when its worker or node dies (-1 for ever).

    What is larger than a few kilobytes (a model, once in each round) is put into Ray's store once and fetched once by each node.
    ``options`` go to ``ray.remote``, such as ``num_cpus`` or ``resources``. Faults of the work itself are raised, not tried again.
    """
    import ray

    if not ray.is_initialized():
        ray.init(address=address, log_to_driver=False) if address else ray.init(log_to_driver=False)
    options.setdefault("num_cpus", 1)

    def run(function: Callable[..., Any], arguments: Sequence[tuple[Any, ...]]) -> Iterator[tuple[int, Any]]:
        task = ray.remote(function).options(max_retries=retries, retry_exceptions=False, **options)
        shared: dict[int, Any] = {}

        def sent(value: Any) -> Any:
            if not (isinstance(value, bytes) and len(value) > 4096):
                return value
            if id(value) not in shared:
                shared[id(value)] = ray.put(value)
            return shared[id(value)]

        waiting = {task.remote(*map(sent, one)): k for k, one in enumerate(arguments)}
        try:
            while waiting:
                done, _ = ray.wait(list(waiting), num_returns=1)
                for one in done:
                    yield waiting.pop(one), ray.get(one)
        except ray.exceptions.RayTaskError as error:
            raise getattr(error, "cause", None) or error

    return run


def on_dask(client: Any, *, retries: int = 10) -> Mapper:
    """Dask tasks of a ``distributed.Client``."""

    def run(function: Callable[..., Any], arguments: Sequence[tuple[Any, ...]]) -> Iterator[tuple[int, Any]]:
        from distributed import as_completed as arriving

        futures = [client.submit(function, *one, pure=False, retries=retries) for one in arguments]
        number = {future.key: k for k, future in enumerate(futures)}
        for future in arriving(futures):
            yield number[future.key], future.result()

    return run


def _do(kind: str, what: str, start: int, end: int, files: str) -> str:
    """The work of a worker, on one thread: schedulers count processors, and a task of ours takes one."""
    return _native.shard_run(kind, what, (start, end), 1, storage.copies(what), json.loads(files))


def _answer(question: bytes, start: int, end: int) -> bytes:
    return _native.answer(question, start, end, 1)


def _answer_stored(question: bytes, start: int, end: int) -> bytes:
    with storage.Store() as store:
        return _native.answer(question, start, end, 1, store)


def tournament(
    contenders: Sequence[str] = ("hunter", "stalker", "survivor", "native:3", "native:5"),
    maps: Sequence[str] | None = None,
    *,
    matches: int = 3,
    frags: int = 100,
    seed: int = 1,
    time_limit: float = 21_600.0,
    mapper: Mapper | None = None,
    shards: int = 32,
    work: Path | None = None,
    progress: Progress = False,
    arrived: Callable[[int, int], None] | None = None,
) -> TournamentReport:
    """``repertoire.tournament`` in shards of matches. ``arrived(start, end)`` hears of each range as it is committed.

    Contenders are names or ``NAME=FILE``, with files that workers can read or ``s3://`` addresses. Shards in ``work`` are files that `repertoire merge` takes.
    """
    names = list(_native.MAPS if maps is None else maps)
    what = {"contenders": list(contenders), "maps": names, "matches": matches, "frags": frags, "seed": seed}
    text = json.dumps({**what, "time_limit": float(time_limit)})
    done = _shards("tournament", text, mapper or local(), shards, work, teller(progress, "matches"), arrived)
    report: TournamentReport = _native.tournament_merge(text, done, storage.copies(text))
    return report


def believable(
    who: str,
    maps: Sequence[str] | None = None,
    *,
    against: str = "native:5",
    opponents: Sequence[str] = ("native:3", "native:3"),
    without: str | None = None,
    matches: int = 4,
    seconds: float = 120.0,
    seed: int = 1,
    mapper: Mapper | None = None,
    shards: int = 32,
    work: Path | None = None,
    progress: Progress = False,
    arrived: Callable[[int, int], None] | None = None,
) -> BelievableCard:
    """``repertoire believable WHO`` in shards: ten requirements for a believable character, a number each.

    ``without`` names a stage to judge the character without. The card has the same bits for every mapper and number of shards.
    """
    names = list(_native.MAPS if maps is None else maps)
    what = {"who": who, "without": without, "against": against, "opponents": list(opponents), "maps": names}
    text = json.dumps({**what, "matches": matches, "seconds": float(seconds), "seed": seed})
    done = _shards("believable", text, mapper or local(), shards, work, teller(progress, "matches"), arrived)
    card: BelievableCard = _native.believable_merge(text, done, storage.copies(text))
    return card


def _shards(
    kind: str,
    what: str,
    mapper: Mapper,
    shards: int,
    work: Path | None,
    told: Callable[[int, int], None] | None,
    arrived: Callable[[int, int], None] | None = None,
) -> list[str]:
    """The texts of shards that cover everything: those that were committed, and the rest, done by the mapper."""
    here = storage.copies(what)
    total, files = _native.shard_total(kind, what, here), _native.shard_files(kind, what, here)
    committed = {} if work is None else _committed(work, kind, what, files)
    ranges, sums = _missing(total, list(committed), shards), json.dumps(files)
    texts = list(committed.values())
    done = total - sum(end - start for start, end in ranges)
    if told:
        told(done, total)
    for index, text in mapper(_do, [(kind, what, start, end, sums) for start, end in ranges]):
        start, end = ranges[index]
        if work is not None:
            storage.Store().keep(storage.join(os.fspath(work), f"{start}-{end}.shard"), text.encode())
        texts.append(text)
        done += end - start
        if arrived:
            arrived(start, end)
        if told:
            told(done, total)
    return texts


def _committed(work: Path, kind: str, what: str, files: dict[str, str]) -> dict[tuple[int, int], str]:
    """The shards in a folder, which must be of this work and of files as they are now."""
    store, folder = storage.Store(), os.fspath(work)
    about = storage.join(folder, "work.json")
    mine = json.dumps({"kind": kind, "what": json.loads(what), "files": files}, indent=1).encode()
    # Listed first: not every server refuses to write to a bucket that is not there.
    names = store.files(folder)
    there = store.read(about)
    if there is None:
        store.keep(about, mine)
    elif there != mine:
        what_else = "other work, or of files that have changed since"
        raise RepertoireError(f"{folder} holds shards of {what_else}", remedy="name another folder, or remove it")
    found = {}
    for name in sorted(names):
        start, _, end = re.split(r"[/\\]", name)[-1].removesuffix(".shard").partition("-")
        if name.endswith(".shard") and start.isdigit() and end.isdigit():
            found[int(start), int(end)] = (store.read(name) or b"").decode("utf-8", "replace")
    return found


def _missing(total: int, there: Sequence[tuple[int, int]], shards: int) -> list[tuple[int, int]]:
    """What is missing of ``0..total``, in pieces of which about ``shards`` make the whole."""
    most = max(1, -(-total // max(1, shards)))
    missing, at = [], 0
    for start, end in [*sorted(there), (total, total)]:
        pieces = -(-(start - at) // most) if start > at else 0
        bounds = [at + k * (start - at) // pieces for k in range(pieces)] + [start]
        missing += list(zip(bounds, bounds[1:]))
        at = max(at, end)
    return missing


def _rounds(
    what: str, play: Path | Sequence[Path], work: Path, how: tuple[Any, ...], mapper: Mapper | None, shards: int, progress: Progress
) -> _native.Rounds:
    """Expectations by the mapper, maximisation here, until nothing is asked any more."""
    told, mapper, folder = teller(progress, "recordings"), mapper or local(), os.fspath(work)
    paths, listed = storage.split(_paths(play))
    store = storage.Store() if listed or storage.is_url(folder) else None
    answer = _answer_stored if store else _answer
    if store:
        store.files(folder)  # Says what is wrong with a bucket before anything is written.
    players, *rest = how
    rounds = _native.Rounds(what, paths, listed, store, players, folder, *rest)
    while (question := rounds.ask()) is not None:
        ranges = rounds.missing(shards)
        done, total = rounds.total - sum(end - start for start, end in ranges), rounds.total
        for index, said in mapper(answer, [(question, start, end) for start, end in ranges]):
            rounds.commit(said)
            done += ranges[index][1] - ranges[index][0]
            if told:
                told(done, total)
    return rounds


class Learned(Imitation):
    """What was learned: ``save`` writes the character or the behaviour, ``report`` says from how much."""

    report: LearningReport  # type: ignore[assignment]


def learn_sequence(
    play: Path | Sequence[Path],
    *,
    work: Path,
    players: Sequence[str] = (),
    method: str = "batch",
    start: str = "uniform",
    name: str = "learned",
    mapper: Mapper | None = None,
    shards: int = 32,
    progress: Progress = False,
) -> Learned:
    """A behaviour from folders, patterns or files of recordings; ``method`` is ``labels``, ``heuristic`` or ``batch``."""
    how = (list(players), start, method, "", None, 0, 1, 1, 1, None)
    made = _rounds("sequence", play, work, how, mapper, shards, progress)
    return Learned(*made.finish(name))


def learn_chameleon(
    play: Path | Sequence[Path],
    *,
    work: Path,
    players: Sequence[str] = (),
    model: str = "arena",
    decisions: int | None = None,
    delay: int = 0,
    starts: int = 3,
    iterations: int = 100,
    seed: int = 1,
    keep_aside: float | None = None,
    mapper: Mapper | None = None,
    shards: int = 32,
    progress: Progress = False,
) -> Learned:
    """A character by imitation: the expectation of each iteration on workers, the maximisation here.

    The numbers of the model are sent once in each iteration; each worker answers with the summed counts of its recordings.
    ``keep_aside`` is a share of the recordings to judge by instead of learning from them; the report says how well it went.
    """
    how = (list(players), "", "", model, decisions, delay, starts, iterations, seed, keep_aside)
    made = _rounds("chameleon", play, work, how, mapper, shards, progress)
    return Learned(*made.finish(""))


def practise(
    character: Path,
    play: Path | Sequence[Path],
    *,
    work: Path,
    players: Sequence[str] = (),
    map: str = "halls",
    seconds: float = 600.0,
    seed: int = 1,
    mapper: Mapper | None = None,
    shards: int = 32,
    progress: Progress = False,
) -> bytes:
    """The character in a file, attending as sharply as makes it move most like its teacher in ``play``; gives its new file.

    Each step of the search plays all its trial matches at once. Workers read the file ``character``.
    """
    told, name = teller(progress, "trials"), os.fspath(character)
    copy = storage.copies(name).get(name, name)
    with storage.fetched(_paths(play)) as recordings:
        search = _native.Practising(copy, recordings, list(players), map, float(seconds), seed)
    step = 0
    while (asked := search.ask()) is not None:
        what = json.dumps({**json.loads(asked), "character": name, "map": map})
        folder = storage.join(os.fspath(work), f"step-{step}")
        search.tell(_shards("practice", what, mapper or local(), shards, folder, told))
        step += 1
    result: bytes = search.character()
    return result
