"""The words of a rule file that the rulebook prints beside its paragraphs, each with its context for translation."""

from __future__ import annotations

from teufelswerk import model
from teufelswerk.texts import Text

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
    return Text(rules.sections[section].heading, msgctxt=f"{rules.family}: heading")


def person(name: str) -> Text:
    return Text(name, msgctxt="person")


def edition(name: str) -> Text:
    return Text(name, msgctxt="edition")
