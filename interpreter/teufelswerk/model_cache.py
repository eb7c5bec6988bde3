"""A rule file → its model, kept in the user's cache folder: reading and checking it anew takes a fifth of a second."""

from __future__ import annotations

import hashlib
import io
import json
import os
import pickle
import sys
from functools import cache
from pathlib import Path
from typing import Any

from teufelswerk import cache_files
from teufelswerk.diagnostics import RuleFileError
from teufelswerk.model import Model
from teufelswerk.shelf import base_path, find
from teufelswerk.source import read

MOST_KEPT = 60
CLASSES_FROM = ("teufelswerk.diagnostics", "teufelswerk.model", "teufelswerk.source")


def load_game(name: str, values: dict[str, int] | None = None, variant: str | None = None) -> Model:
    """The model of a game by name or path, or RuleFileError with everything that is wrong."""
    return load_model(find(name, variant), values)


def load_model(path: str | Path, values: dict[str, int] | None = None) -> Model:
    """The model of a rule file, or RuleFileError with all that is wrong. `values` replace figures of the file."""
    key = _key(path, values)
    name = f"model-{hashlib.sha256(key.encode()).hexdigest()[:16]}.bin"
    kept = _kept(name, key)
    if kept is not None and _is_current(kept, path):
        return kept
    from teufelswerk.library import load  # what reads and checks is not even imported for a model that is kept

    loaded = load(path, values)
    if loaded.model is None:
        raise RuleFileError([d for d in loaded.diagnostics if d.is_error])
    _keep(loaded.model, name, key)
    return loaded.model


def digest(rules: Model) -> str:
    """A short fingerprint of the rules in force."""
    text = json.dumps([[s.text for s in rules.sources], sorted(rules.changed_values.items())])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


# ---- keeping --------------------------------------------------------------------------------------------------------


def _key(path: str | Path, values: dict[str, int] | None) -> str:
    return repr((str(path), str(Path(path).resolve()), sorted((values or {}).items())))


def _kept(name: str, key: str) -> Model | None:
    data = cache_files.read(name)
    if data is None:
        return None
    seal, content = data[:32], data[32:]
    if seal != _seal(key, content):
        return None  # damaged, or made by another version of this program
    try:
        found = _Reader(io.BytesIO(content)).load()
    except Exception:  # whatever a file made by somebody else may lead to: it is made again
        return None
    return found if isinstance(found, Model) else None


def _keep(rules: Model, name: str, key: str) -> None:
    try:
        content = pickle.dumps(rules, pickle.HIGHEST_PROTOCOL)
    except RecursionError:
        return
    cache_files.write(name, _seal(key, content) + content)
    cache_files.keep_newest("model-*.bin", MOST_KEPT)


def _is_current(rules: Model, path: str | Path) -> bool:
    """Whether the file, and every file that it builds upon, still has the text that the model was made from."""
    here: str | Path | None = path
    for number, source in enumerate(rules.sources):
        if number:
            here = base_path(source.name, Path(rules.sources[number - 1].path))
        if here is None or read(here)[0] != source:
            return False
    return True


def _seal(key: str, content: bytes) -> bytes:
    return hashlib.sha256(key.encode() + _program().encode() + content).digest()


@cache
def _program() -> str:
    """What has made a model, told by the same signs by which Python knows when to compile a module again."""
    with os.scandir(Path(__file__).parent) as entries:
        files = [(entry.name, entry.stat()) for entry in entries if entry.name.endswith((".py", ".lark"))]
    signs = sorted((name, status.st_mtime_ns, status.st_size) for name, status in files)
    return repr((sys.version_info[:3], sys.implementation.name, signs))


class _Reader(pickle.Unpickler):
    """Makes nothing but what a model consists of."""

    def find_class(self, module: str, name: str) -> Any:
        found = super().find_class(module, name) if module in CLASSES_FROM and "." not in name else None
        if not isinstance(found, type) or found.__module__ != module:
            raise pickle.UnpicklingError(f"a model has no {module}.{name} in it")
        return found
