"""The catalogs as the tests see them: entries by their context and text."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po

ROOT = Path(__file__).resolve().parents[1]


Key = tuple[str | None, str]


@cache
def catalog(path: Path) -> Catalog:
    with path.open("rb") as file:
        return read_po(file)


def of_language(language: str) -> Catalog:
    return catalog(ROOT / "locales" / language / "LC_MESSAGES" / "teufelswerk.po")


def entries(found: Catalog) -> dict[Key, Message]:
    return {(m.context, str(m.id)): m for m in found if m.id}


LATIN = re.compile(r"[A-Za-z]{2,}")


ALLOWED_LATIN = re.compile(
    r"\{[^{}]*\}|`[^`]*`|--?[a-z-]+|Little Devils|Hol's der Teufel|Michael Feldkötter|Roland Siegers|Schmidt Spiele"
    r"|UTF-8|JSON|Dask|tcp://host|NAME=NUMBER|NAME=VALUE|Markdown|HTML|PDF|SVG|CSV|Parquet|ASCII|Ctrl-C|Tab|teufelswerk|Teufelswerk|U\+"
    r"|\b(acc|gen|dat|ins|loc|nom|fem|plural|prep|masc|in|to|from|with)(?==)|\b[IVX]+\b"
)
