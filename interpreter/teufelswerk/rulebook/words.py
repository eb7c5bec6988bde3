"""The words of a rule file that the rulebook prints beside its paragraphs, each with its context for translation."""

from __future__ import annotations

from teufelswerk import model
from teufelswerk.base.texts import Text

BOX = "box"


def spaced(name: str) -> str:
    """`hand-size` → `hand size`"""
    return name.replace("-", " ")


def term(rules: model.Model, name: str, sort: str) -> Text:
    """A name of the rule file as a word; `sort` is place, keep, attribute, card or figure."""
    return Text(spaced(name), msgctxt=f"{rules.family}: {sort}")


def place_term(rules: model.Model, name: str) -> Text:
    return Text("box") if name == BOX else Text(name, msgctxt=f"{rules.family}: place")


def value_term(rules: model.Model, owner: str, value: int) -> Text | str:
    word = rules.names[owner][value]
    return word if word.isdigit() else Text(word, msgctxt=f"{rules.family}: {owner}")


def heading(rules: model.Model, section: int) -> Text:
    return game_heading(rules, rules.sections[section].heading)


def game_heading(rules: model.Model, words: str) -> Text:
    """A heading or title of the game or of a base of it."""
    return Text(words, msgctxt=f"{rules.family}: heading")


def has_own_section(rules: model.Model, move: model.Move) -> bool:
    """Whether the heading above a move is about this move and nothing else that is done."""
    others: list[model.Move | model.Step] = [*rules.moves.values(), *rules.steps.values()]
    return not any(other.section == move.section and other is not move for other in others)


def move_term(rules: model.Model, move: model.Move) -> Text:
    """A move by the heading of its section or, where that is about more, by its verb."""
    return heading(rules, move.section) if has_own_section(rules, move) else verb_term(rules, move.name)


def verb_term(rules: model.Model, verb: str) -> Text:
    """What one does in a move: `passes` → `pass`."""
    return Text(spaced(infinitive(verb)), msgctxt=f"{rules.family}: move")


def infinitive(verb: str) -> str:
    """`passes` → `pass`, `carries` → `carry`, `raises` → `raise`. Of several words the first is the verb."""
    first, hyphen, rest = verb.partition("-")
    if first.endswith("ies") and len(first) > 4:
        first = first[:-3] + "y"
    elif first.endswith(("sses", "shes", "ches", "xes", "zzes", "oes")):
        first = first[:-2]
    else:
        first = first.removesuffix("s")
    return first + hyphen + rest


def person(name: str) -> Text:
    return Text(name, msgctxt="person")


def edition(name: str) -> Text:
    return Text(name, msgctxt="edition")
