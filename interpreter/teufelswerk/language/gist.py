"""The introduction of a game → the one sentence of it that says what one plays for."""

from __future__ import annotations

import re

from teufelswerk.base.texts import Text, fill, placeholders
from teufelswerk.language.i18n import Translator

ENDS = re.compile(r"(?<=[.!?…])(?<!\b[^\W\d_]\.)[“”»\"')]*\s+")
"""Where a sentence ends: not behind a single letter, which is an initial or part of an abbreviation."""
HOW_MANY = {"players", "min-players", "max-players"}


def gist(introduction: Text, translator: Translator) -> str:
    """The last sentence that says more than how many play."""
    template = translator.translate(introduction.msgid, introduction.context)
    sentences = ENDS.split(template.strip())
    telling = [each for each in sentences if not HOW_MANY & {name for name, _ in placeholders(each)}] or sentences
    return fill(
        telling[-1], introduction.values, translator.plural, lambda value, spec: translator.show(value, (), spec)
    )
