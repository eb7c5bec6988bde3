"""Two games → what differs in their cards, values, rules and moves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

from teufelswerk import model
from teufelswerk.base.texts import Text
from teufelswerk.compare.value_ranges import plain_numbers
from teufelswerk.model.walk import reachable
from teufelswerk.rulebook.exact.whole import in_a_row, words_of_part, words_of_section
from teufelswerk.rulebook.figures import UNKNOWN, Figures, Several, slashed, together
from teufelswerk.rulebook.words import term

FEW_CLAUSES = 6
"""So many changed lines are shown beside changed words; of more, the words alone tell it better."""


@dataclass(frozen=True)
class CardChange:
    """A card that only one of the games has, or something on it that differs; ids as in the rule files."""

    id: str
    attribute: str | None
    first: str | None
    second: str | None


@dataclass(frozen=True)
class ValueChange:
    name: str
    first: object
    second: object
    """None where the game has no such value."""
    players: str | None = None
    """With how many players the value is which, if that makes a difference."""


@dataclass(frozen=True)
class RuleChange:
    """A section that differs: the paragraphs, and the clauses if they do."""

    heading: Text
    first: tuple[Text, ...]
    second: tuple[Text, ...]
    clauses: tuple[tuple[str, str], ...]
    """Lines with `-` in the first game only and with `+` in the second only; if the words tell it, only a few."""
    exact: tuple[tuple[str, Text], ...] = ()
    """What those lines say, where a section is in both games."""


@dataclass(frozen=True)
class MoveChange:
    """What a move asks for in one of the games only, as the sentence that refuses it or as its clause."""

    verb: str
    in_first: bool
    condition: Text | str | None
    """None if the whole move is in one of the games only."""


def card_changes(first: model.Model, second: model.Model) -> Iterator[CardChange]:
    ours, theirs = ({card.id: card for card in rules.cards} for rules in (first, second))
    for id in dict.fromkeys([*ours, *theirs]):
        if id not in theirs or id not in ours:
            yield CardChange(id, None, id if id in ours else None, id if id in theirs else None)
            continue
        for name in dict.fromkeys([*ours[id].values, *theirs[id].values]):
            shown = [
                rules.attributes[name].show(cards[id].values[name]) if name in cards[id].values else None
                for rules, cards in ((first, ours), (second, theirs))
            ]
            if shown[0] != shown[1]:
                yield CardChange(id, name, shown[0], shown[1])


def value_changes(first: model.Model, second: model.Model) -> Iterator[ValueChange]:
    """Numbers that the rules name, plain or computed before the game; they may differ by the number of players."""
    numbers = []
    for rules in (first, second):
        figures = Figures(rules)
        named: dict[str, object] = {**plain_numbers(rules)}
        for name, definition in rules.definitions.items():
            if name in named or definition.parameter or rules.sections[definition.section].is_example:
                continue
            if definition.value.type.kind == "number":
                values = [figures.value(definition.value, players) for players in figures.counts]
                if all(value is not UNKNOWN for value in values):
                    named[name] = together(values)
        numbers.append(named)
    players = [f"{rules.min_players}–{rules.max_players}" for rules in (first, second)]
    if players[0] != players[1]:
        yield ValueChange("players", *players)
    for name in dict.fromkeys([*numbers[0], *numbers[1]]):
        if numbers[0].get(name) != numbers[1].get(name):
            pair = numbers[0].get(name), numbers[1].get(name)
            varying = [rules for rules, value in zip((first, second), pair, strict=True) if isinstance(value, Several)]
            counts = {slashed(map(str, range(rules.min_players, rules.max_players + 1))) for rules in varying}
            yield ValueChange(name, *pair, slashed(sorted(counts)) if counts else None)


def rule_changes(first: model.Model, second: model.Model) -> Iterator[RuleChange]:
    """Sections of rules whose words or clauses differ; changed figures alone do not count."""
    ours, theirs = ({s.heading: s for s in rules.sections[1:] if not s.is_example} for rules in (first, second))
    figures = Figures(first), Figures(second)
    for heading in dict.fromkeys([*ours, *theirs]):
        pair = ours.get(heading), theirs.get(heading)
        msgids = [[p.paragraph.text for p in section.prose] if section else [] for section in pair]
        clauses = [_clauses(section) if section else [] for section in pair]
        if msgids[0] == msgids[1] and clauses[0] == clauses[1]:
            continue
        words = [
            tuple(figures[n].fill(prose) for prose in section.prose if prose.paragraph.text not in msgids[1 - n])
            if section
            else ()
            for n, section in enumerate(pair)
        ]
        changed = list(_changed(*clauses))
        if msgids[0] != msgids[1]:
            # The words are the main thing, and sentences in quotes are words as well.
            changed = [(sign, line) for sign, line in changed if not line.lstrip().startswith('"')]
            changed = changed if pair[0] and pair[1] and len(changed) <= FEW_CLAUSES else []
        rules = first if pair[0] else second
        title = Text(heading, msgctxt=f"{rules.family}: heading")
        yield RuleChange(title, words[0], words[1], tuple(changed), tuple(_exactly(first, second, *pair)))


def _exactly(
    first: model.Model, second: model.Model, ours: model.Section | None, theirs: model.Section | None
) -> Iterator[tuple[str, Text]]:
    """The exact words that only one of two sections has; plain numbers are among the values."""
    if ours is None or theirs is None:
        return
    said: list[dict[str, Text]] = []
    for rules, section in ((first, ours), (second, theirs)):
        plain = {d.span for d in rules.definitions.values() if isinstance(d.value, model.Const)}
        lines = [line for line in words_of_section(rules, section) if line.span not in plain]
        said.append({"  " * depth + str(line.words): line.words for depth, line in in_a_row(lines)})
    for sign, line in _changed(*map(list, said)):
        yield sign, said[sign == "+"][line]


def _changed(ours: list[str], theirs: list[str]) -> Iterator[tuple[str, str]]:
    """The lines that differ, in their order."""
    for kind, a, b, c, d in SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
        if kind != "equal":
            yield from (("-", line) for line in ours[a:b])
            yield from (("+", line) for line in theirs[c:d])


def _clauses(section: model.Section) -> list[str]:
    """The clause lines of a section but for its plain numbers, which are values."""
    clauses = [line[4:].rstrip() for line in section.lines if line.startswith("    ")]
    return [line for line in clauses if not line.rpartition(" = ")[2].strip().isdigit()]


def move_changes(first: model.Model, second: model.Model) -> Iterator[MoveChange]:
    """Moves that only one game has, and conditions that only one of them asks for."""
    asked = [_moves(first), _moves(second)]
    for verb in dict.fromkeys([*asked[0], *asked[1]]):
        if verb not in asked[0] or verb not in asked[1]:
            yield MoveChange(verb, verb in asked[0], None)
            continue
        conditions = [_conditions(rules, verb) for rules in (first, second)]
        for number in (0, 1):
            for clause, words in conditions[number].items():
                if clause not in conditions[1 - number]:
                    yield MoveChange(verb, number == 0, words)


def _moves(rules: model.Model) -> list[str]:
    turns = [s for s in reachable(rules, rules.steps["game"].body) if isinstance(s, model.Turn)]
    return list(dict.fromkeys(verb for turn in turns for group in turn.groups for verb in group))


def _conditions(rules: model.Model, verb: str) -> dict[str, Text | str]:
    """Each condition by its clause, with the sentence that refuses a move."""
    found: dict[str, Text | str] = {}
    figures = Figures(rules)
    move = rules.moves[verb]
    parts: list[model.Choose | model.Must] = [*move.choices, *(must for must, _ in move.musts)]
    for statement in parts:
        clause = statement.span.source.lines[statement.span.line - 1].strip()
        words: Text | str = words_of_part(rules, verb, statement)
        if statement.told and isinstance(statement, model.Must):
            sentence = statement.told[0]
            words = Text(sentence.msgid, msgctxt=sentence.context)
            values = {name: _figure(rules, figures, name, expr) for name, expr in sentence.figures}
            object.__setattr__(words, "values", values)
        found[clause] = words
    return found


def _figure(rules: model.Model, figures: Figures, name: str, expr: model.Expr) -> object:
    """A figure of a refusal where nobody is at the table: its value, who is meant, or dots for what is on the cards."""
    values = [figures.value(expr, players) for players in figures.counts]
    if all(value is not UNKNOWN for value in values):
        return together(values)
    match expr:
        case model.Neighbour(side="left"):
            return Text("the left neighbour")
        case model.Neighbour():
            return Text("the right neighbour")
        case model.KeepOf(keep=keep) if expr.type.kind == "player":
            return term(rules, keep.name, "keep")
        case model.Defined() if expr.type.kind == "player":
            return term(rules, name, "figure")
        case model.Local() if expr.type.kind == "player":
            return Text("the player")
    return "…"
