"""A name that means nothing → what was most likely meant, where that is no name that looks like it."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from teufelswerk.base.texts import Text
from teufelswerk.syntax.keywords import NUMBER_WORDS

YES_AND_NO = frozenset("yes no true false on off".split())


def meant_by(
    word: str, names: Mapping[str, tuple[str, ...]], card_ids: Collection[str], only_in: Mapping[str, str]
) -> Text | None:
    """How the rule language says what somebody calls `word`."""
    if word in YES_AND_NO:
        return Text("keep one of two names instead, as in `keep state: fresh or used`")
    if word in only_in:
        return Text(
            "it is known only in `{place}`, below the line that names it; elsewhere, remember it with `keep`",
            place=only_in[word],
        )
    if word in NUMBER_WORDS:
        return Text("numbers are written in digits: write `{name}`", name=NUMBER_WORDS[word])
    if "-" in word:
        parts = sorted(word.split("-"))
        same = [id for id in card_ids if len(id) == len(word) and sorted(id.split("-")) == parts]
        if len(same) == 1:
            return Text("a card is called by its values, in the order of their lists: write `{id}`", id=same[0])
    for value in (word.removesuffix("s"), word.removesuffix("es")):
        of = [name for name, values in names.items() if value != word and value in values]
        if len(of) == 1:
            words = f"cards where {of[0]} is {value}"
            return Text("a card with this value is found with `where`, as in `{words}`", words=words)
    return None
