"""Where recordings and committed work are: a path that all machines see, or ``s3://bucket/prefix`` on anything that speaks S3.

``pip install "repertoire[s3]"`` on every machine brings the client: obstore, the Python binding of the Rust crate object_store. Each
machine finds its own credentials, and nothing of them is sent or written anywhere:

==========================================================  ===============================================================
``AWS_ACCESS_KEY_ID``, ``AWS_SECRET_ACCESS_KEY``            who asks (or the role of the machine, where there is one)
``AWS_ENDPOINT_URL``                                        the server, if it is not Amazon's: ``http://10.0.0.5:9000``
``AWS_REGION``                                              where the bucket is; ``us-east-1`` unless said
``REPERTOIRE_CACHE``                                        a folder on this machine's own disk [``~/.cache/repertoire``]
``REPERTOIRE_CACHE_BYTES``                                  how much may stay there [4 GB]
``REPERTOIRE_S3_PATIENCE``                                  seconds to go on trying when the server does not answer [60]
==========================================================  ===============================================================

Recordings, and lives in the words of a model, stay in the cache until it is full; those used longest ago go first. A file is known by
its name, length and ETag, so that one that has changed in the bucket is fetched again. A commit is a single PUT: it is there whole, or
not at all.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import socket
import threading
from contextlib import ExitStack, contextmanager, suppress
from datetime import timedelta
from tempfile import TemporaryDirectory
from typing import Any, Iterable, Iterator, Sequence

from .errors import RepertoireError

_STORES: dict[tuple[Any, ...], Any] = {}


def is_url(name: str) -> bool:
    """Whether a name is an address in a store, and not a path."""
    return "://" in name


def join(folder: str, name: str) -> str:
    """A file in a folder."""
    return f"{folder.rstrip('/')}/{name}" if is_url(folder) else os.path.join(folder, name)


class Store:
    """Files by their names: paths, or ``s3://bucket/key``. What cannot be read or written raises ``RepertoireError`` with a remedy.

    Used in a ``with`` block, it gives up the copies of ``local`` at the end; the cache may still hold them.
    """

    def __init__(self) -> None:
        self._pins: dict[int, str] = {}

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        for pin in self._pins.values():
            with suppress(FileNotFoundError):
                os.remove(pin)

    def read(self, name: str) -> bytes | None:
        """A file's content; None if it is not there."""
        if not is_url(name):
            with suppress(FileNotFoundError), open(name, "rb") as file:
                return file.read()
            return None
        # Every iteration reads the lives of a recording; other files are read once or twice.
        if "/lives/" in name:
            found = _cached(name)
            if found is None:
                return None
            with suppress(FileNotFoundError), open(found[0], "rb") as file:
                return file.read()
        store, key = _bucket(name)
        with _explained(name):
            try:
                return bytes(store.get(key).bytes())
            except FileNotFoundError:
                return None

    def keep(self, name: str, content: bytes) -> None:
        """Writes a file in one move: it is whole whenever it is there."""
        if not is_url(name):
            os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
            _write(name, [content])
            return
        store, key = _bucket(name)
        with _explained(name):
            put = store.put(key, content, use_multipart=False)
        if "/lives/" in name and put.get("e_tag"):
            _add(_mark(name, put["e_tag"], len(content)), [content])

    def files(self, folder: str) -> list[str]:
        """The files in a folder, not those in folders in it."""
        if not is_url(folder):
            with suppress(FileNotFoundError):
                return [entry.path for entry in os.scandir(folder) if entry.is_file()]
            return []
        store, key = _bucket(folder)
        root = _root(folder)
        with _explained(folder):
            return [root + one["path"] for one in store.list_with_delimiter(key)["objects"]]

    def remove(self, name: str) -> None:
        """Removes a file that is no longer needed."""
        if not is_url(name):
            with suppress(OSError):
                os.remove(name)
            return
        store, key = _bucket(name)
        with _explained(name), suppress(FileNotFoundError):
            store.delete(key)

    def local(self, name: str, length: int) -> str | None:
        """A file of ``length`` bytes on this machine, until this thread asks for another; None if it has another length or is gone."""
        if not is_url(name):
            return name if os.path.exists(name) and os.path.getsize(name) == length else None
        # A name of this thread's own for the cached file, so that whoever makes room in the cache takes nothing away from us.
        thread = threading.get_ident()
        pin = os.path.join(_cache("pins"), f"{socket.gethostname()}-{os.getpid()}-{id(self)}-{thread}")
        self._pins[thread] = pin
        for _ in range(10):
            found = _cached(name)
            if found is None or found[1] != length:
                return None
            with suppress(FileNotFoundError):
                os.remove(pin)
            with suppress(FileNotFoundError):
                os.link(found[0], pin)
                return pin
        raise RepertoireError(f"{_cache('')} is emptied faster than it fills", remedy="set REPERTOIRE_CACHE_BYTES to more")

    def find(self, url: str) -> list[tuple[str, int]]:
        """The recordings that a folder, a pattern or a name in a store stands for, in the order of their names, with their lengths."""
        star = min((at for at in (url.find("*"), url.find("?")) if at >= 0), default=-1)
        folder = url[: url.rfind("/", 0, star)] if star >= 0 else url.rstrip("/")
        store, key = _bucket(folder)
        root = _root(folder)
        with _explained(url):
            if star < 0 and key.endswith(".parquet"):
                with suppress(FileNotFoundError):
                    return [(url, store.head(key)["size"])]
            there = [(root + one["path"], one["size"]) for some in store.list(key or None) for one in some]
        is_wanted = re.compile(_pattern(url) if star >= 0 else re.escape(folder) + r"/.*\.parquet").fullmatch
        found = sorted((name, size) for name, size in there if is_wanted(name) and "/." not in name)
        if not found:
            raise RepertoireError(
                f"{url}: there is no recording",
                remedy="a prefix with .parquet files, or a pattern such as 's3://bucket/plays/*.parquet'",
            )
        return found


def _pattern(glob: str) -> str:
    """``*`` is any letters but ``/``, ``**`` any at all, ``?`` one."""
    words = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    return "".join(words.get(part) or re.escape(part) for part in re.split(r"(\*\*/|\*\*|\*|\?)", glob))


def split(names: Sequence[str]) -> tuple[list[str], list[tuple[str, int]]]:
    """Paths as they are, and the recordings of addresses with their lengths."""
    urls = [name for name in names if is_url(name)]
    return [name for name in names if not is_url(name)], sorted({one for url in urls for one in Store().find(url)})


@contextmanager
def fetched(names: Sequence[str]) -> Iterator[list[str]]:
    """Recordings as paths on this machine: those of addresses are fetched, and are there until the end of the block."""
    paths, listed = split(names)
    mine = f"{socket.gethostname()}-{os.getpid()}-"
    with TemporaryDirectory(prefix=mine, dir=_cache("pins") if listed else None) as folder, ExitStack() as held:
        for k, (name, length) in enumerate(listed):
            copy = held.enter_context(Store()).local(name, length)
            if copy is None:
                raise RepertoireError(f"{name} has changed while it was read", remedy="call again")
            paths.append(os.path.join(folder, f"{k}.parquet"))
            os.link(copy, paths[-1])
        yield paths


def copies(text: str) -> dict[str, str]:
    """The addresses of files in a text, each with the path of a copy on this machine.

    A character's file may name others beside it, and so all files of its folder are fetched, but for recordings. They stay in the cache,
    where a folder in which something has changed is another folder.
    """
    found = {}
    for url in re.findall(r's3://[^"]+', text):
        # `FILE+belief`, and `FILE.wad:MAP01`.
        name = url.removesuffix("+belief")
        folder, _, last = name.rpartition("/")
        there = _listed(folder)
        if last not in there and ":" in last:
            name, last = name.rpartition(":")[0], last.rpartition(":")[0]
        if last not in there:
            raise RepertoireError(f"{name}: there is no such file", remedy="s3://bucket/folder/file, as it is written there")
        found[name] = os.path.join(_folder(folder, there), last)
    return found


def _listed(folder: str) -> dict[str, tuple[str, int]]:
    """The files in a folder by their names, each with its ETag and length."""
    store, key = _bucket(folder)
    with _explained(folder):
        all_files = store.list_with_delimiter(key or None)["objects"]
    return {one["path"].rpartition("/")[2]: (str(one.get("e_tag")), one["size"]) for one in all_files}


#: More than characters and maps need; a folder that holds more holds something else.
_MOST_BYTES = 256_000_000
_MOST_FOLDERS = 64


def _folder(folder: str, there: dict[str, tuple[str, int]]) -> str:
    """A copy of a folder's files."""
    wanted = {name: about for name, about in there.items() if not name.endswith((".parquet", ".shard"))}
    length = sum(size for _, size in wanted.values())
    if length > _MOST_BYTES:
        raise RepertoireError(
            f"{folder} holds {length // 1_000_000} MB beside the file that is asked for",
            remedy="put characters and maps into a folder of their own",
        )
    path = os.path.join(_cache("folders"), _mark(folder, repr(sorted(wanted.items())), length))
    if os.path.isdir(path):
        os.utime(path)
        return path
    for old in sorted(os.scandir(_cache("folders")), key=lambda entry: -entry.stat().st_mtime)[_MOST_FOLDERS:]:
        shutil.rmtree(old.path, ignore_errors=True)
    store, key = _bucket(folder)
    part = f"{path}.{os.getpid()}.{threading.get_ident()}.part"
    os.makedirs(part, exist_ok=True)
    with _explained(folder):
        for name in wanted:
            _write(os.path.join(part, name), [bytes(store.get(f"{key}/{name}" if key else name).bytes())], is_safe=False)
    try:
        os.replace(part, path)
    except OSError:
        # Somebody else was faster.
        shutil.rmtree(part, ignore_errors=True)
    return path


def _bucket(url: str) -> tuple[Any, str]:
    """The client of a bucket, and the key in it."""
    scheme, _, rest = url.replace("\\", "/").partition("://")
    bucket, _, key = rest.partition("/")
    if scheme != "s3" or not bucket:
        raise RepertoireError(f"{url}: such a place is unknown", remedy="a path, or s3://bucket/prefix")
    patience = os.environ.get("REPERTOIRE_S3_PATIENCE", "60")
    known = (bucket, _endpoint(), os.environ.get("AWS_ACCESS_KEY_ID"), os.environ.get("AWS_SECRET_ACCESS_KEY"), patience)
    if known not in _STORES:
        try:
            from obstore.store import S3Store
        except ImportError:
            raise RepertoireError(f"{url}: there is no client of S3 here", remedy='pip install "repertoire[s3]"') from None
        # Without encryption only where the address of the server says so.
        client: Any = {"allow_http": _endpoint().startswith("http://"), "connect_timeout": timedelta(seconds=5)}
        wait = {"retry_timeout": timedelta(seconds=float(patience)), "backoff": {"max_backoff": timedelta(seconds=5)}}
        retries: Any = {"max_retries": 1000, **wait}
        _STORES[known] = S3Store(bucket, client_options=client, retry_config=retries)
    return _STORES[known], key


def _root(url: str) -> str:
    return f"s3://{url.split('/')[2]}/"


def _endpoint() -> str:
    return next((os.environ[name] for name in ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT") if name in os.environ), "")


@contextmanager
def _explained(url: str) -> Iterator[None]:
    """What the client says, in words that tell what to do."""
    from obstore.exceptions import BaseError

    try:
        yield
    except (BaseError, FileNotFoundError) as error:
        bucket, text = url.split("/")[2], f"{type(error).__name__} {error}"
        server = _endpoint() or "Amazon S3"
        if "NoSuchBucket" in text or isinstance(error, FileNotFoundError):
            what, remedy = f"there is no bucket `{bucket}` on {server}", "make it, or name another; AWS_ENDPOINT_URL names the server"
        elif re.search(r"PermissionDenied|Unauthenticated|InvalidAccessKey|SignatureDoesNotMatch|AccessDenied|\b40[13]\b", text):
            what = f"{server} refuses these credentials for the bucket `{bucket}`"
            remedy = "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY on every machine to those of somebody who may use it"
        elif "169.254.169.254" in text or "credential" in text.lower():
            what = "there are no credentials for S3 here"
            remedy = "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY on every machine"
        elif re.search(r"error sending request|[Cc]onnect|timed out|retr(y|ies)", text):
            what = f"{server} does not answer"
            remedy = "look whether it runs and AWS_ENDPOINT_URL is right; the same call goes on from what was committed"
        else:
            what, remedy = str(error).splitlines()[0][:300], "see the log of the server"
        raise RepertoireError(f"{url}: {what}", remedy=remedy) from error


def _cache(folder: str) -> str:
    usual = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "repertoire")
    path = os.path.join(os.environ.get("REPERTOIRE_CACHE") or usual, folder)
    os.makedirs(path, exist_ok=True)
    return path


def _mark(url: str, e_tag: str, length: int) -> str:
    return hashlib.sha256(f"{_endpoint()} {url} {e_tag} {length}".encode()).hexdigest()


def _cached(url: str) -> tuple[str, int] | None:
    """A file in the cache, fetched unless it is there, and its length; None if the store has no such file."""
    store, key = _bucket(url)
    with _explained(url):
        try:
            about = store.head(key)
            mark = _mark(url, str(about.get("e_tag")), about["size"])
            path = os.path.join(_cache("objects"), mark)
            with suppress(FileNotFoundError):
                # A machine that stopped in the middle may have left less of it.
                if os.path.getsize(path) == about["size"]:
                    os.utime(path)
                    return path, about["size"]
            return _add(mark, store.get(key).stream(min_chunk_size=1 << 20)), about["size"]
        except FileNotFoundError:
            return None


def _add(mark: str, content: Iterable[Any]) -> str:
    # Before and not after, so that what is added stays even where it is larger than the cache.
    _make_room()
    path = os.path.join(_cache("objects"), mark)
    _write(path, content, is_safe=False)
    return path


def _write(path: str, content: Iterable[Any], *, is_safe: bool = True) -> None:
    """Writes a file in one move; ``is_safe`` waits until it would outlive a loss of power."""
    part = f"{path}.{os.getpid()}.{threading.get_ident()}.part"
    with open(part, "wb") as file:
        for some in content:
            file.write(some)
        if is_safe:
            file.flush()
            os.fsync(file.fileno())
    os.replace(part, path)


def _make_room() -> None:
    """Removes from the cache what was used longest ago, until the rest fits, and names of processes that are gone."""
    most = int(os.environ.get("REPERTOIRE_CACHE_BYTES", "4000000000"))
    files = []
    for entry in os.scandir(_cache("objects")):
        with suppress(FileNotFoundError):
            about = entry.stat()
            files.append((about.st_mtime, about.st_size, entry.path))
    total = sum(size for _, size, _ in files)
    for _, size, path in sorted(files):
        if total <= most:
            break
        with suppress(FileNotFoundError):
            os.remove(path)
        total -= size
    here = f"{socket.gethostname()}-"
    for name in os.listdir(_cache("pins")):
        process = name.removeprefix(here).split("-")[0]
        if name.startswith(here) and process.isdigit() and not _lives(int(process)):
            pin = os.path.join(_cache("pins"), name)
            with suppress(FileNotFoundError):
                shutil.rmtree(pin) if os.path.isdir(pin) else os.remove(pin)


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        pass
    return True
