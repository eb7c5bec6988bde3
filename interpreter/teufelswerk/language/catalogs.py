"""A folder of catalogs and a language → the translations in it, or why they cannot be used.

Catalogs also stand beside rule files that come from anywhere: they are read up to a size, as UTF-8, and whatever is
wrong with one is told in a sentence; then it is as if it were not there.
"""

from __future__ import annotations

import gettext
import hashlib
import io
import os
import re
import stat
import struct
from pathlib import Path

from teufelswerk.base import cache_files
from teufelswerk.base.limits import MAX_CATALOG_BYTES
from teufelswerk.base.texts import Text

DOMAIN = "teufelswerk"
MOST_KEPT = 20
MOST_PLURALS = 20
"""Forms of a word; no language has as many."""
NOWHERE = "\0"
"""A text that stands in no catalog."""
OTHER_ENCODING = re.compile(rb"charset=(?!utf-?8\b)", re.IGNORECASE)


class Unusable(Exception):
    """A catalog that is there, but does no good."""

    def __init__(self, message: Text) -> None:
        super().__init__(str(message))
        self.message = message


def read_catalog(folder: Path, language: str) -> gettext.NullTranslations:
    """The translations into a language, none if there is no file; Unusable if it cannot be used."""
    there = folder / language / "LC_MESSAGES"
    for path in (there / f"{DOMAIN}.po", there / f"{DOMAIN}.mo"):
        data = content_of(path)
        if data is None:
            continue
        try:
            return _compiled(data, language) if path.suffix == ".po" else _translations(data)
        except Exception as problem:  # whatever a damaged file may lead to
            line = getattr(problem, "lineno", None)
            if isinstance(line, int):
                message = Text(
                    "the translations in `{path}` cannot be used: line {line} is damaged", path=str(path), line=line + 1
                )
            else:
                message = Text("the translations in `{path}` cannot be used: the file is damaged", path=str(path))
            raise Unusable(message) from None
    return gettext.NullTranslations()


def content_of(path: Path) -> bytes | None:
    """The bytes of a file, if there is one."""
    try:
        flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
        with os.fdopen(os.open(path, flags), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return None
            data = file.read(MAX_CATALOG_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as problem:
        reason = problem.strerror or str(problem)
        raise Unusable(Text("`{path}` cannot be read: {reason}", path=str(path), reason=reason)) from None
    if len(data) > MAX_CATALOG_BYTES:
        message = Text(
            "the translations in `{path}` cannot be used: such a file has at most {limit} bytes",
            path=str(path),
            limit=MAX_CATALOG_BYTES,
        )
        raise Unusable(message)
    return data


def _compiled(written: bytes, language: str) -> gettext.GNUTranslations:
    """A .po file's text compiled, from the user's cache if it is there: reading it is twenty times as fast."""
    name = f"{language}-{hashlib.sha256(written).hexdigest()[:16]}.mo"
    kept = cache_files.read(name)
    if kept is not None:
        try:
            return _translations(kept)
        except Exception:  # whatever a strange file may lead to: it is made again
            pass
    made = _as_mo(written, language)
    cache_files.write(name, made)
    cache_files.keep_newest("*.mo", MOST_KEPT)
    return _translations(made)


def _as_mo(written: bytes, language: str) -> bytes:
    from babel.messages.catalog import Catalog
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import PoFileParser

    class Bounded(Catalog):
        @property
        def num_plurals(self) -> int:
            return min(super().num_plurals, MOST_PLURALS)

    found, made = Bounded(language), io.BytesIO()
    PoFileParser(found, ignore_obsolete=True, abort_invalid=True).parse(written.decode("utf-8-sig").split("\n"))
    found.charset = "utf-8"
    write_mo(made, found)
    return made.getvalue()


def _translations(data: bytes) -> gettext.GNUTranslations:
    """What a .mo file holds. All its texts together are no longer than the file: they do not lie upon one another."""
    order = "<" if data[:4] == struct.pack("<I", gettext.GNUTranslations.LE_MAGIC) else ">"
    count, originals, translated = struct.unpack_from(f"{order}3I", data, 8)
    tables = [struct.unpack_from(f"{order}{2 * count}I", data, start) for start in (originals, translated)]
    lengths = sum(sum(table[::2]) for table in tables)
    if lengths > len(data) or OTHER_ENCODING.search(data):
        raise ValueError(lengths)
    found = gettext.GNUTranslations(io.BytesIO(data))
    found.gettext(NOWHERE)  # for a text that is not there the formula for plurals is asked, which may divide by zero
    return found
