"""A name and another one → edits of every file in which it stands: the game, its variants, their catalogs.

Afterwards the files must check as before; else the new name means something else somewhere, and it is refused.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from teufelswerk.base.diagnostics import Source
from teufelswerk.base.find_files import SAYS_ITS_BASE, SUFFIX, VARIANTS, base_path, data_folder, known
from teufelswerk.base.limits import MAX_NAME_LENGTH, MAX_VARIANT_DEPTH
from teufelswerk.base.texts import Text
from teufelswerk.checker.symbols import plurals, singular, singulars
from teufelswerk.editing.catalog_names import Renamed, catalog_edits
from teufelswerk.editing.names import GENERAL, Form, Meaning, Names, Occurrence, declarations
from teufelswerk.editing.opened import Edit, Opened, edited, opened
from teufelswerk.model import COPIES, PASSES
from teufelswerk.syntax.keywords import RESERVED
from teufelswerk.syntax.source import decode

MEANINGFUL = GENERAL - {"number"} | {"game", "out", COPIES, PASSES}
"""What every game understands by its name."""
NAME, PERSON = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*"), re.compile(r"[A-Z][A-Za-z]*")


class NotRenamed(Exception):
    """Why a name has to stay as it is, or cannot be that."""

    def __init__(self, message: Text) -> None:
        super().__init__(str(message))
        self.message = message


def renameable(names: Names, line: int, column: int) -> Occurrence:
    """What stands at a place, if its name can be another one."""
    here = names.at(line, column)
    if here is None:
        raise NotRenamed(Text("there is no name here that the rules give to something"))
    if here.meaning.kind in ("word", "card", "base") or here.meaning.name in MEANINGFUL:
        raise NotRenamed(Text("`{name}` means the same in every game", name=here.meaning.name))
    return here


def rename(names: Names, line: int, column: int, new: str) -> dict[Path, list[Edit]]:
    """The edits that give what is named at a place another name, by their files."""
    here = renameable(names, line, column)
    old = here.meaning
    wanted = _as_declared(new, here)
    if wanted == old.name:
        return {}
    _check_word(wanted, old)
    files = [names] if old.kind in ("local", "person") else list(family(names, old))
    for each in files:
        _check_free(wanted, each)
    found: dict[Path, list[Edit]] = {}
    for each in files:
        edits = [Edit(o.span, in_form(wanted, o.form)) for o in _same_name(each, old)]
        if edits:
            found[each.file.path] = edits
    _check_meaning(files, found, wanted)
    if old.kind != "local":
        words = _forms(files, old, wanted)
        renamed = Renamed(old, wanted, words, frozenset(each.file.source.name for each in files))
        for path in _catalogs(found):
            text = path.read_text(encoding="utf-8", errors="surrogateescape")
            if edits := list(catalog_edits(Source(str(path), text), renamed)):
                found[path] = edits
    for path in found:
        if path.exists() and not os.access(path, os.W_OK):
            raise NotRenamed(Text("`{path}` cannot be written, and the name stands there", path=str(path)))
    return found


def in_form(name: str, form: Form) -> str:
    """A name as it stands for one thing or for several."""
    if form == "same":
        return name
    if form == "singular":
        return singular(name)
    if re.search(r"[^aeiou]y$", name):
        return f"{name[:-1]}ies"
    return f"{name}es" if name.endswith(("s", "x", "ch", "sh")) else f"{name}s"


def _as_declared(new: str, here: Occurrence) -> str:
    """Whoever renames several gives the name of several; it is declared for one, or the other way round."""
    if here.form == "plural":
        return next((one for one in singulars(new)[1:] if in_form(one, "plural") == new), new)
    return in_form(new, "plural") if here.form == "singular" else new


def _check_word(new: str, old: Meaning) -> None:
    right = PERSON if old.kind == "person" else NAME
    if not right.fullmatch(new) or len(new) > MAX_NAME_LENGTH:
        example = "Olga" if old.kind == "person" else "some-name"
        raise NotRenamed(Text("`{name}` is no name; one looks like this: `{example}`", name=new, example=example))
    if new in RESERVED | MEANINGFUL:
        raise NotRenamed(Text("`{name}` is a word of the rule language and cannot be a name", name=new))


def _check_free(new: str, names: Names) -> None:
    """The new name, and several of it, may mean nothing yet: they would be taken for what they mean now."""
    taken = {*plurals(new), *singulars(new), in_form(new, "plural")}
    for piece in names.pieces:
        if piece.sort != "keyword" and piece.text in taken:
            message = Text("`{name}` stands in line {line} already", name=piece.text, line=piece.span.line)
            raise NotRenamed(message)


def _same_name(names: Names, old: Meaning) -> Iterator[Occurrence]:
    """Where the name stands in a file; another file knows it as something of its own, or as what a base declares."""
    seen = set()
    for o in names.occurrences:
        same = (o.meaning.name, o.meaning.scope) == (old.name, old.scope) and o.meaning.kind not in ("card", "base")
        if same and o.span not in seen:
            seen.add(o.span)
            yield o


def _check_meaning(files: list[Names], found: Mapping[Path, list[Edit]], new: str) -> None:
    """Whether all files check as before."""
    texts: dict[Path, str] = {}
    for names in files:
        texts |= names.file.texts
    for names in files:
        path = names.file.path
        texts[path.resolve()] = edited(names.file.source.text, found.get(path, []))
    for names in files:
        after = opened(names.file.path, texts[names.file.path.resolve()], texts)
        more = Counter(d.code for d in after.found) - Counter(d.code for d in names.file.found)
        if more:
            finding = next(d for d in after.found if d.code in more)
            raise NotRenamed(Text("with the name `{name}`: {reason}", name=new, reason=finding.message))


def _forms(files: list[Names], old: Meaning, new: str) -> dict[str, str]:
    """Every spelling of the old name, and the one of the new name that takes its place."""
    words = {old.name: new}
    for names in files:
        for o in _same_name(names, old):
            line = o.span.source.lines[o.span.line - 1]
            words[line[o.span.column - 1 : o.span.end - 1]] = in_form(new, o.form)
    return words


# ---- other files ----------------------------------------------------------------------------------------------------


def family(names: Names, meaning: Meaning) -> Iterator[Names]:
    """The file that declares a name, and all that are made from it."""
    file = names.file
    assert file.loaded.assembled
    chain = [Path(source.path) for source in file.loaded.assembled.sources]
    members = [file, *(_read(path, file.texts) for path in chain[1:])]
    declaring = [
        each for each in members if any(d[0] == meaning.name for c in each.clauses.values() for d in declarations(c))
    ]
    root = declaring[-1] if declaring else file
    yield names if root is file else Names(root)
    for path in _near(root.path, file.texts):
        if path.resolve() != root.path.resolve() and _is_made_from(path, root.path, file.texts):
            yield names if path.resolve() == file.path.resolve() else Names(_read(path, file.texts))


def _read(path: Path, texts: Mapping[Path, str]) -> Opened:
    text = texts.get(path.resolve())
    if text is None:
        source, _ = decode(path.read_bytes(), str(path))
        text = source.text
    return opened(path, text, texts)


def _near(path: Path, texts: Mapping[Path, str]) -> list[Path]:
    """The rule files that could be made from one: those that are known, those beside it, and those being written."""
    folders = [path.parent, path.parent / VARIANTS, path.parent.parent / VARIANTS]
    found = [*known().values(), *(each for folder in folders for each in sorted(folder.glob(f"*{SUFFIX}"))), *texts]
    return list({each.resolve(): each for each in found}.values())


def _is_made_from(path: Path, root: Path, texts: Mapping[Path, str]) -> bool:
    here: Path | None = path
    for _ in range(MAX_VARIANT_DEPTH + 1):
        assert here is not None
        text = texts.get(here.resolve())
        try:
            text = here.read_text(encoding="utf-8", errors="replace") if text is None else text
        except OSError:
            return False
        base = SAYS_ITS_BASE.search(text.split("\n## ")[0])
        here = base_path(base[1], here) if base else None
        if here is None:
            return False
        if here.resolve() == root.resolve():
            return True
    return False


def _catalogs(found: Mapping[Path, list[Edit]]) -> list[Path]:
    """The catalogs beside the files, and those of the games that come along."""
    folders = {path.parent / "locales": None for path in found}
    if any(path.resolve().is_relative_to(data_folder("rules")) for path in found):
        folders[data_folder("locales")] = None
    return [path for folder in folders for path in sorted([*folder.glob("*/LC_MESSAGES/*.po"), *folder.glob("*.pot")])]
