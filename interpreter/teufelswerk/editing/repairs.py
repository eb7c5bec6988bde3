"""A finding → edits that mend it. Each was tried: with it the finding is gone, and nothing new is wrong there."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from teufelswerk.base.diagnostics import Diagnostic, Span
from teufelswerk.base.texts import Text
from teufelswerk.editing.opened import Edit, Opened, edited, last_line
from teufelswerk.syntax.grammar import STARTS, reads

QUOTED = re.compile(r"`([^`…]+)`")
MOST_TRIED = 12
"""Each try checks the whole file."""
WRITE = "write `{words}`"


@dataclass(frozen=True)
class Repair:
    """What to do about a finding, in words and as edits of the file."""

    title: Text
    edits: tuple[Edit, ...]


def repairs(file: Opened, finding: Diagnostic) -> list[Repair]:
    """The ways to mend a finding that its advice names, as far as they can be followed without thinking."""
    if finding.span is None or finding.help is None or finding.span.source is not file.source:
        return []
    found: dict[str, Repair] = {}
    tried = set[str]()
    for repair in _advised(finding.span, finding.help):
        text = edited(file.source.text, list(repair.edits))
        if str(repair.title) in found or text in tried or text == file.source.text or not _could_read(text, repair):
            continue
        if len(tried) == MOST_TRIED:
            break
        tried.add(text)
        if mends(file, finding, repair, text):
            found[str(repair.title)] = repair
    return list(found.values())


def mends(file: Opened, finding: Diagnostic, repair: Repair, text: str) -> bool:
    """Whether a finding is gone, and no error has come; only what stands below its line may turn out to be wrong now
    that the line can be read."""
    assert finding.span
    known, hidden = (
        Counter((d.code, str(d.message)) for d in ds) for ds in (file.found, file.loaded.checked.diagnostics)
    )
    known |= hidden
    known[finding.code, str(finding.message)] -= 1
    line = file.lines.get(finding.span.line)
    below = range(finding.span.line + 1, last_line(line) + 1) if line else range(0)
    for now in file.with_text(text).found:
        key = now.code, str(now.message)
        if known[key] > 0:
            known[key] -= 1
            continue
        can_be_read_now = now.span is not None and now.span.line in below and now.code != "unexpected-block"
        if key == (finding.code, str(finding.message)) or (now.is_error and not can_be_read_now):
            return False
    return True


def _could_read(text: str, repair: Repair) -> bool:
    """Whether the clauses that an edit leaves are lines of the language: the quickest of all trials."""
    lines = text.split("\n")
    for edit in repair.edits:
        line = lines[edit.span.line - 1] if edit.span.line <= len(lines) else ""
        clause = line.strip()
        if line.startswith("    ") and clause and clause[0] not in '"' and not any(reads(clause, s) for s in STARTS):
            return False
    return True


def _advised(span: Span, help: Text) -> Iterator[Repair]:
    """Every way to read an advice, the likeliest first."""
    line = span.source.lines[span.line - 1] if span.line <= len(span.source.lines) else ""
    indent = " " * (len(line) - len(line.lstrip()))
    whole = Span(span.source, span.line, 1, len(line) + 1)
    values = {name: str(value) for name, value in help.values.items()}
    match help.msgid:
        case "write `{above}`, and below it, indented, `{below}`":
            text = f"{indent}{values['above']}\n{indent}    {values['below']}"
            yield Repair(help, (Edit(whole, text),))
        case "write {n} spaces instead":
            yield Repair(help, (Edit(span, " " * int(values["n"])),))
        case "indent it by {n} spaces" | "indent by {n} spaces, or not at all if it is a paragraph":
            yield Repair(help, (Edit(whole, " " * int(values["n"]) + line.strip()),))
        case "indent it by {outer} or by {inner} spaces":
            for wanted in (values["outer"], values["inner"]):
                by = Text("indent it by {n} spaces", n=int(wanted))
                yield Repair(by, (Edit(whole, " " * int(wanted) + line.strip()),))
        case "put it above the step or move, indented by {n} spaces only":
            yield from _moved_up(help, whole, int(values["n"]))
        case (
            "leave it out"
            | "delete it"
            | "leave out `up`"
            | "the line is whole without it; say more in a line of its own"
        ):
            yield from _left_out(help, span, line)
        case "delete it and type a plain space":
            yield Repair(help, (Edit(span, " "),))
        case "to replace it, give this section the heading `{heading}`":
            level = line.partition(" ")[0]
            yield Repair(help, (Edit(whole, f"{level} {values['heading']}"),))
        case "begin without `else`":
            yield Repair(help, (Edit(whole, indent + line.strip().removeprefix("else ")),))
        case "close the brace behind the name" | "open the brace before the name":
            yield from _braced(help, span, line)
        case "write `# My game` first":
            yield Repair(help, (Edit(Span(span.source, span.line, 1, 1), "# My game\n\n"),))
        case "write `each player at once`":
            yield Repair(help, (Edit(whole, f"{indent}each player at once"),))
        case "write `players 3 to 6` below the title":
            yield Repair(help, (Edit(whole, f"{line}\n\n    players 3 to 6"),))
        case _:
            yield from _quoted(help, span, whole)


def _quoted(help: Text, span: Span, whole: Span) -> Iterator[Repair]:
    """What an advice quotes: instead of what the finding points at, or of the whole line, or beside it."""
    line = span.source.lines[span.line - 1]
    indent, content = len(line) - len(line.lstrip()), line.strip()
    clause = Span(span.source, span.line, indent + 1, indent + 1 + len(content))
    examples = QUOTED.findall(help.msgid) if "looks like this" not in help.msgid else QUOTED.findall(str(help))
    for words in QUOTED.findall(str(help)):
        if words in examples:
            continue  # it shows what such a line looks like, and is none of this file
        title = Text(WRITE, words=words)
        yield Repair(title, (Edit(span, words),))
        yield Repair(title, (Edit(clause, words),))
        if "may stand here" in help.msgid or "go on with" in help.msgid:
            yield Repair(title, (Edit(Span(span.source, span.line, span.column, span.column), f"{words} "),))
            end = whole.end
            glue = "" if words in ":,)" else " "
            yield Repair(title, (Edit(Span(span.source, span.line, end, end), f"{glue}{words}"),))


def _braced(help: Text, span: Span, line: str) -> Iterator[Repair]:
    """The other brace of a figure, where its name begins or ends."""
    if line[span.column - 1] == "{" and (name := re.match(r"[a-z][\w-]*", line[span.column :])):
        at = span.end + len(name[0])
        yield Repair(help, (Edit(Span(span.source, span.line, at, at), "}"),))
    elif name := re.search(r"[a-z][\w-]*$", line[: span.column - 1]):
        at = name.start() + 1
        yield Repair(help, (Edit(Span(span.source, span.line, at, at), "{"),))


def _left_out(help: Text, span: Span, line: str) -> Iterator[Repair]:
    """Without what the finding points at, and without one of the spaces around it."""
    before, after = line[: span.column - 1], line[span.end - 1 :]
    start, end = span.column, span.end
    if after.startswith(" "):
        end += 1
    elif before.endswith(" ") and before.strip():
        start -= 1
    yield Repair(help, (Edit(Span(span.source, span.line, start, end), ""),))
    yield Repair(help, (Edit(Span(span.source, span.line, span.column, span.end), ""),))
    yield Repair(help, (Edit(Span(span.source, span.line, 1, len(line) + 1), before.rstrip()),))


def _moved_up(help: Text, whole: Span, indent: int) -> Iterator[Repair]:
    """The line above the step or move that it stands in."""
    lines = whole.source.lines
    top = whole.line - 1
    while top > 0 and not re.match(r" {4}\S", lines[top - 1]):
        top -= 1
    if top:
        above = Span(whole.source, top, 1, 1)
        moved = Edit(above, " " * indent + lines[whole.line - 1].strip() + "\n")
        behind = Span(whole.source, whole.line - 1, len(lines[whole.line - 2]) + 1, len(lines[whole.line - 2]) + 1)
        yield Repair(help, (moved, Edit(behind, ""), Edit(whole, "")))
