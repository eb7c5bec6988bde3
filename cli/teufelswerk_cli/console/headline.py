"""The rules in force → the end of a headline: which variant is played, and which values were set."""

from __future__ import annotations

from teufelswerk.model import Model

from teufelswerk_cli.console.speech import _


def with_rules_in_force(headline: str, rules: Model) -> str:
    """The headline; where it is not the game as it comes, with what is different in brackets."""
    details = [f"{name} = {number}" for name, number in rules.changed_values.items()]
    if rules.variant is not None:
        details.insert(0, _("`{variant}`, a variant of `{base}`", variant=rules.variant, base=rules.sources[1].name))
    return f"{headline} ({'; '.join(details)})" if details else headline
