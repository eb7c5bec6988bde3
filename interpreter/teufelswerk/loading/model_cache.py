"""A rule file → its model, kept in the user's cache folder: reading and checking it anew takes a fifth of a second."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from functools import cache
from pathlib import Path

from teufelswerk.base import cache_files
from teufelswerk.base.diagnostics import RuleFileError, Source
from teufelswerk.base.find_files import base_path, find
from teufelswerk.base.limits import MAX_FILE_BYTES
from teufelswerk.loading.model_data import as_data, read_data
from teufelswerk.model import Model
from teufelswerk.syntax.source import plain

MOST_KEPT = 60


def load_game(name: str, values: dict[str, int] | None = None, variant: str | None = None) -> Model:
    """The model of a game by name or path, or RuleFileError with everything that is wrong."""
    return load_model(find(name, variant), values)


def load_model(path: str | Path, values: dict[str, int] | None = None) -> Model:
    """The model of a rule file, or RuleFileError with all that is wrong. `values` replace figures of the file."""
    key = _key(path, values)
    name = f"model-{hashlib.sha256(key.encode()).hexdigest()[:16]}.bin"
    kept = _kept(name, key, path)
    if kept is not None:
        return kept
    from teufelswerk.loading.library import load  # what reads and checks is not even imported for a model that is kept

    loaded = load(path, values)
    if loaded.model is None:
        raise RuleFileError([d for d in loaded.diagnostics if d.is_error])
    _keep(loaded.model, name, key)
    return loaded.model


# ---- keeping --------------------------------------------------------------------------------------------------------


def _key(path: str | Path, values: dict[str, int] | None) -> str:
    return repr((str(path), str(Path(path).resolve()), sorted((values or {}).items())))


def _kept(name: str, key: str, path: str | Path) -> Model | None:
    data = cache_files.read(name)
    if data is None:
        return None
    try:
        made_from, made_by, prints, rows = json.loads(data)
        if (made_from, made_by) != (key, _program()):
            return None
        sources = _current(prints, path)
        return read_data(rows, sources) if sources else None
    except (ValueError, TypeError, RecursionError):  # a file that is none of ours: it is made again
        return None


def _keep(rules: Model, name: str, key: str) -> None:
    try:
        prints = [[source.path, _print(source)] for source in rules.sources]
        content = json.dumps([key, _program(), prints, as_data(rules)], separators=(",", ":"))
    except RecursionError:
        return
    cache_files.write(name, content.encode())
    cache_files.keep_newest("model-*.bin", MOST_KEPT)


def _current(prints: list[tuple[str, str]], path: str | Path) -> list[Source]:
    """The file and every file that it builds upon, if they still have the texts that the model was made from."""
    found: list[Source] = []
    here: str | Path | None = path
    for known_path, known_print in prints:
        if found:
            here = base_path(Source(known_path, "").name, Path(found[-1].path))
        if here is None:
            return []
        source = _as_it_is(here)
        if source is None or (source.path, _print(source)) != (known_path, known_print):
            return []
        found.append(source)
    return found


def _as_it_is(path: str | Path) -> Source | None:
    """A file's text, to be compared with one that was found to be fine."""
    try:
        with Path(path).open("rb") as file:
            return Source(str(path), plain(file.read(MAX_FILE_BYTES + 1)))
    except (OSError, UnicodeDecodeError):
        return None


def _print(source: Source) -> str:
    return hashlib.sha256(source.text.encode()).hexdigest()


@cache
def _program() -> str:
    """What has made a model, told by the same signs by which Python knows when to compile a module again."""
    signs = []
    for folder, _, names in os.walk(Path(__file__).parents[1]):
        paths = [os.path.join(folder, name) for name in names if name.endswith((".py", ".lark"))]  # noqa: PTH118
        signs += [(path, status.st_mtime_ns, status.st_size) for path in paths for status in [os.stat(path)]]  # noqa: PTH116
    signs.sort()
    return repr((sys.version_info[:3], sys.implementation.name, signs))
