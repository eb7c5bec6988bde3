"""What a referee has to ask → words; what people answer → cards, or what has happened."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from teufelswerk.base.texts import Text
from teufelswerk.examples.hearing import ANYWHERE, SHOWN, Answer, Happened, Question, Way
from teufelswerk.examples.real_table import Answers
from teufelswerk.examples.refereeing import Referee
from teufelswerk.rulebook.words import place_term

from teufelswerk_cli.console.speech import _, say, translator

NONE = "-"


@dataclass
class Pending:
    """Something that cannot go on before a question has been answered; `on` goes on with what was answered."""

    question: Question | Happened
    on: Callable[[Answers], bool]
    answers: list[Answer | Way] = field(default_factory=list)
    named: list[int] = field(default_factory=list)
    """The cards that have been named so far, of several."""


def place_in_words(referee: Referee, index: int, names: Sequence[str]) -> str:
    """A place, and whose it is."""
    place, layout = referee.layout.place_of[index], referee.layout
    words = say(place_term(referee.rules, place.name))
    if place.key is None:
        return words
    members = layout.split(place.key, layout.place_key[index])
    shown = [say(Text("{value}", value=referee.game.program.teller.member(key, one)), names) for key, one in members]
    return f"{words} ({', '.join(shown)})"


def asked(referee: Referee, question: Question | Happened, names: Sequence[str]) -> str:
    """A question about cards, in words."""
    if isinstance(question, Happened):
        return _("Which of these has happened?")
    layout, one = referee.layout, question.amount == 1
    target = question.place if question.to == SHOWN else question.to
    where = place_in_words(referee, target, names)
    owner = layout.owner[target]
    if layout.place_of[target].seen_by == "others" and owner >= 0:
        words = _("Which {n:card|cards} does {player} get? {player} looks away.",
                  n=question.amount or 2, player=names[owner])  # fmt: skip
    elif question.to == SHOWN and owner >= 0:
        words = _("Which {n:card|cards} does {player} show?", n=question.amount or 2, player=names[owner])
    elif question.to == question.place and not layout.place_of[target].turned:
        words = _("Which card is it, from: {place}? Whoever must not know it looks away.", place=where)
    elif one:
        words = _("Which card can be seen now: {place}?", place=where)
    else:
        words = _("Which cards can be seen now: {place}?", place=where)
    if question.amount is not None and question.amount > 1:
        words += " " + _("({n} of them)", n=question.amount)
    if question.perhaps or question.amount is None:
        words += " " + _("(`-`: none)")
    return words


def ways_in_words(question: Happened, names: Sequence[str]) -> list[str]:
    """What may have happened, without what is told in any case."""
    common = Counter(map(repr, question.ways[0]))
    for way in question.ways[1:]:
        common &= Counter(map(repr, way))
    found = []
    for way in question.ways:
        told = [say(text, names) for text in way if repr(text) not in common]
        found.append(" ".join(told) or _("nothing of that"))
    return found


def answered(
    referee: Referee, pending: Pending, said: str, cards: Callable[[str], list[int]], called: Callable[[int], str]
) -> str | None:
    """Takes in an answer; what is wrong with it, or None. Some cards may be named, and the others next."""
    question = pending.question
    if isinstance(question, Happened):
        number = said.removeprefix("#")
        if not number.isdigit() or not 1 <= int(number) <= len(question.ways):
            return _("Say the number of one of them, from 1 to {n}.", n=len(question.ways))
        pending.answers.append(Way(question.ways[int(number) - 1]))
        return None
    none = said in (NONE, _("none")) and (question.perhaps or question.amount is None)
    wanted = [] if none else cards(said)
    free = [card for card in question.among if card not in pending.named]
    faces = referee.faces
    for card in wanted:
        same = next((other for other in free if faces[other] == faces[card]), None)
        if same is None:
            return _("{card} cannot be there.", card=called(card))
        free.remove(same)
        pending.named.append(same)
    if question.amount is not None and not none:
        if len(pending.named) > question.amount:
            pending.named = []
            return _("That is too many: {n} {n:card is|cards are} wanted.", n=question.amount)
        if len(pending.named) < question.amount:
            so_far = translator().list([called(card) for card in pending.named])
            return _("So far: {cards}. And which else?", cards=so_far)
    place = ANYWHERE if question.place == ANYWHERE else question.place
    pending.answers.append(Answer(place, question.to, tuple(pending.named)))
    return None


def asked_in(said: str) -> tuple[str, str, str]:
    """`35 on 20, 40 with 3 and 27` → the card, those on the table, those in hand."""
    on, holding = ("on", _("on")), ("with", _("with"))
    rest, held = _cut(said, holding)
    card, table = _cut(rest, on)
    return card, table, held


def _cut(said: str, words: Sequence[str]) -> tuple[str, str]:
    match = re.search(rf"\s(?:{'|'.join(map(re.escape, words))})\s", said, re.IGNORECASE)
    return (said[: match.start()].strip(), said[match.end() :].strip()) if match else (said.strip(), "")
