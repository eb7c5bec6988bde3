"""A model → remarks on how its numbers are used: what never changes, comes to nothing, or may be no number at all."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from teufelswerk import model
from teufelswerk.base.diagnostics import Diagnostic
from teufelswerk.base.texts import Text
from teufelswerk.model.walk import all_statements, expressions

BLOCKS = frozenset({"body", "then", "otherwise"})
CHANGED = frozenset({"target", "receiver"})


def check_use(rules: model.Model) -> list[Diagnostic]:
    happens = list(all_statements(rules))
    found = [*_never_paid_out(rules, happens), *_pays_itself(happens)]
    return [*found, *_never_changes(rules, happens), *_no_else(rules, happens)]


def _asked(rules: model.Model, happens: Iterable[model.Doing], told: bool) -> list[Any]:
    """All that values are read in, but for what only changes them; sentences only if they count."""
    parts: list[Any] = [definition.value for definition in rules.definitions.values()]
    parts += [part for move in rules.moves.values() for part in (*move.choices, *move.musts)]
    skipped = BLOCKS | CHANGED | (frozenset() if told else {"told"})
    return parts + [part for statement in happens for key, part in vars(statement).items() if key not in skipped]


def _never_paid_out(rules: model.Model, happens: list[model.Doing]) -> Iterable[Diagnostic]:
    """A number that is nobody's, into which is paid, and of which nothing ever comes out."""
    used = {e.keep.name for e in expressions(_asked(rules, happens, told=False)) if isinstance(e, model.KeepOf)}
    for payment in (s for s in happens if isinstance(s, model.Pays)):
        keep = payment.receiver.keep
        if keep.key is None and keep.name not in used:
            message = Text("what is paid to `{name}` never comes out of it again", name=keep.name)
            help = Text("let it pay: `{name} pays {name} … to …`", name=keep.name)
            yield Diagnostic("never-paid-out", message, payment.receiver.span, help=help, severity="warning")


def _pays_itself(happens: list[model.Doing]) -> Iterable[Diagnostic]:
    """Somebody who pays and is paid: inside `each player` the word `player` means another one than outside."""
    for payment in (s for s in happens if isinstance(s, model.Pays)):
        payer, receiver = payment.payer.key, payment.receiver.key
        same = isinstance(payer, model.Local) and isinstance(receiver, model.Local) and payer.slot == receiver.slot
        if same and payment.payer.keep is payment.receiver.keep:
            message = Text("whoever pays here is paid by themselves")
            help = Text(
                "in `each player`, `player` is the one whose turn it is there; remember the other one with `keep`"
            )
            yield Diagnostic("pays-itself", message, payment.receiver.span, help=help, severity="warning")


def _never_changes(rules: model.Model, happens: list[model.Doing]) -> Iterable[Diagnostic]:
    """Something that is kept and asked for, but never becomes anything else."""
    changed = {s.target.keep.name for s in happens if isinstance(s, model.Becomes)}
    changed |= {side.keep.name for s in happens if isinstance(s, model.Pays) for side in (s.payer, s.receiver)}
    read = {e.keep.name for e in expressions(_asked(rules, happens, told=True)) if isinstance(e, model.KeepOf)}
    for name, keep in rules.keeps.items():
        if name in read - changed and name != model.NEXT:
            message = Text("`{name}` is kept and asked for, but never becomes anything else", name=name)
            help = Text("let it change somewhere, as in `{name} becomes …`", name=name)
            yield Diagnostic("never-changes", message, keep.span, help=help, severity="warning")


def _no_else(rules: model.Model, happens: list[model.Doing]) -> Iterable[Diagnostic]:
    """A number that is there only under a condition: whatever is compared with it otherwise does not hold."""
    comparisons = [e for e in expressions(_asked(rules, happens, told=False)) if isinstance(e, model.Compare)]
    sides = [side for comparison in comparisons for side in (comparison.left, comparison.right)]
    asked = {side.definition.name: side.definition for side in sides if isinstance(side, model.Defined)}
    for name, definition in asked.items():
        value = definition.value
        last = value.branches[-1].condition if isinstance(value, model.Alternatives) else None
        if last is not None and value.type.kind == "number":
            message = Text("`{name}` is no number at all where this does not hold", name=name)
            help = Text("say what it is then: `else …`; brackets show what belongs together")
            yield Diagnostic("no-else", message, last.span, help=help, severity="warning")
