"""Sections → nodes: each clause line goes through the lark grammar, blocks follow from indentation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from teufelswerk import limits, nodes
from teufelswerk.diagnostics import Diagnostic, Source, Span
from teufelswerk.mistakes import explain_line
from teufelswerk.source import Line, Paragraph, Section, split
from teufelswerk.texts import Text

STARTS = ["declaration", "card_line", "table_row", "statement", "alternative"]
Clause = nodes.Clause


@dataclass
class ParsedPart:
    """A paragraph and the clauses below it."""

    paragraph: Paragraph | None
    clauses: list[Clause] = field(default_factory=list)


@dataclass
class ParsedSection:
    heading: str
    level: int
    span: Span
    parts: list[ParsedPart]


@cache
def grammar() -> Lark:
    """The grammar, built once."""
    text = files("teufelswerk").joinpath("grammar.lark").read_text(encoding="utf-8")
    return Lark(text, start=STARTS, parser="lalr", propagate_positions=True)


def parse(source: Source) -> tuple[list[ParsedSection], list[Diagnostic]]:
    """The file's sections as nodes, and what could not be read."""
    sections, found = split(source)
    parser = _Parser()
    parsed = [
        ParsedSection(s.heading, s.level, s.span, [ParsedPart(p.paragraph, parser.clauses(p.lines)) for p in s.parts])
        for s in sections
    ]
    return parsed, found + parser.found


def sections_of(source: Source) -> list[Section]:
    """The layout alone, for formatting and translation."""
    return split(source)[0]


class _Parser:
    def __init__(self) -> None:
        self.found: list[Diagnostic] = []

    # ---- lines ----------------------------------------------------------------------------------------------------

    def report(self, code: str, message: Text, span: Span, help: Text | None = None) -> None:
        self.found.append(Diagnostic(code, message, span, help=help))

    def tree(self, line: Line, start: str) -> Tree[Token] | None:
        words = sum(1 for word in line.text.replace("(", " ( ").split() if not word.strip(",").isdigit())
        if words > limits.MAX_WORDS_IN_LINE:
            message = Text("a clause has at most {limit} words", limit=limits.MAX_WORDS_IN_LINE)
            self.report("long-clause", message, line.span, Text("give a part of it a name of its own"))
            return None
        try:
            return grammar().parse(line.text, start=start)
        except UnexpectedInput as problem:
            self.found.append(explain_line(line, start, _where(problem, line.text), _reads))
            return None

    def no_block(self, line: Line) -> None:
        if line.children:
            message = Text("nothing can stand below this line")
            span = line.children[0].span
            self.found.append(
                Diagnostic("unexpected-block", message, span, related=((line.span, Text("this line")),))
            )

    def told(self, lines: Sequence[Line]) -> tuple[nodes.Sentence, ...]:
        """The sentences among the lines; anything else is a mistake."""
        sentences = []
        for line in lines:
            if line.text.startswith('"'):
                sentences.append(self.sentence(line))
            else:
                message = Text("only sentences in quotes can stand below this line")
                self.report("unexpected-block", message, line.span)
        return tuple(s for s in sentences if s)

    def sentence(self, line: Line) -> nodes.Sentence | None:
        self.no_block(line)
        body = line.text[1:-1]
        if len(line.text) < 3 or not line.text.endswith('"') or '"' in body:
            message = Text("a sentence stands between two quotation marks, alone on its line")
            self.report("quotes", message, line.span)
            return None
        return nodes.Sentence(body, line.span)

    def clauses(self, lines: Sequence[Line]) -> list[Clause]:
        return [clause for line in lines if (clause := self.clause(line))]

    # ---- declarations and scenes ----------------------------------------------------------------------------------

    def clause(self, line: Line) -> Clause | None:
        if line.text.startswith('"'):
            self.report("stray-sentence", Text("a sentence stands below the line that it explains"), line.span)
            return None
        tree = self.tree(line, "declaration")
        if tree is None:
            return None
        build = _Builder(line.span)
        kids = tree.children
        span = line.span
        if tree.data == "cards":
            return self.cards(line, build.word(kids[0]) if kids[0] else None)
        if tree.data == "step":
            return nodes.Step(span, build.word(kids[0]), build.maybe_word(kids[1]), self.block(line))
        if tree.data == "move":
            return nodes.Move(span, build.word(kids[0]), build.word(kids[1]), self.block(line))
        if tree.data == "definition":
            value = self.value(line, build, kids[2])
            return nodes.Definition(span, build.word(kids[0]), build.maybe_word(kids[1]), value) if value else None
        self.no_block(line)
        return build.clause(tree)

    def cards(self, line: Line, kind: nodes.Word | None) -> nodes.Cards:
        attributes: list[nodes.Attribute | nodes.Table] = []
        back: list[nodes.Word] = []
        called: nodes.Sentence | None = None
        for child in line.children:
            if child.text.startswith('"'):
                called = self.sentence(child) or called
                continue
            tree = self.tree(child, "card_line")
            if tree is None:
                continue
            build = _Builder(child.span)
            kids = tree.children
            if tree.data == "table":
                rows = [row for grandchild in child.children if (row := self.table_row(grandchild))]
                attributes.append(nodes.Table(build.word(kids[0]), build.word(kids[1]), tuple(rows)))
                continue
            self.no_block(child)
            if tree.data == "back":
                back.append(build.word(kids[0]))
            else:
                attributes.append(nodes.Attribute(build.word(kids[0]), tuple(build.stretch(k) for k in kids[1:])))
        if not line.children:
            message = Text("the lines below `cards` say what is on the cards, and there are none")
            self.report("empty-block", message, line.span)
        return nodes.Cards(line.span, kind, tuple(attributes), tuple(back), called)

    def table_row(self, line: Line) -> nodes.TableRow | None:
        tree = self.tree(line, "table_row")
        if tree is None:
            return None
        self.no_block(line)
        build = _Builder(line.span)
        keys = tuple(build.stretch(kid) for kid in tree.children[1:])
        return nodes.TableRow(int(str(tree.children[0])[:12]), keys, line.span)

    # ---- values with alternatives ---------------------------------------------------------------------------------

    def value(self, line: Line, build: _Builder, inline: Any) -> nodes.Expr | None:
        """What stands behind `=` or `becomes`: on the line itself, or as alternatives below it."""
        if inline is not None:
            value = build.expr(inline)
            told = self.told(line.children)
            if not told:
                return value
            if isinstance(value, nodes.Alternatives) and len(value.branches) == 1:
                value = value.branches[0].value
            return nodes.Alternatives(value.span, (nodes.Branch(value, None, told, line.span),))
        if not line.children:
            self.report("empty-block", Text("the value is missing: nothing stands behind or below this line"), line.span)
            return None
        return self.alternatives(line.children, line.span)

    def alternatives(self, lines: Sequence[Line], span: Span) -> nodes.Expr | None:
        first = self.tree(lines[0], "alternative")
        if first is None:
            return None
        if first.data == "if_line":
            return self.decision(lines, first, span)
        branches = []
        for index, line in enumerate(lines):
            tree = first if index == 0 else self.tree(line, "alternative")
            if tree is None:
                continue
            if tree.data != "branch":
                message = Text("an `if` with lines below it cannot stand among other alternatives")
                self.report("mixed-alternatives", message, line.span)
                continue
            is_else = line.text.startswith("else ")
            if is_else != (index > 0):
                message = Text("every alternative but the first begins with `else`")
                self.report("missing-else", message, line.span)
            build = _Builder(line.span)
            value, condition = tree.children
            branches.append(
                nodes.Branch(
                    build.expr(value), build.expr(condition) if condition else None, self.told(line.children), line.span
                )
            )
        return nodes.Alternatives(span, tuple(branches)) if branches else None

    def decision(self, lines: Sequence[Line], first: Tree[Token], span: Span) -> nodes.Expr | None:
        line = lines[0]
        condition = _Builder(line.span).expr(first.children[0])
        if not line.children:
            self.report("empty-block", Text("nothing stands below this line"), line.span)
            return None
        then = self.alternatives(line.children, line.span)
        otherwise: nodes.Expr | None = None
        if len(lines) > 1:
            tree = self.tree(lines[1], "alternative")
            if tree is None:
                return None
            if tree.data != "else_line":
                message = Text("after an `if` with lines below it there can only be an `else`")
                self.report("mixed-alternatives", message, lines[1].span)
                return None
            if tree.children[0] is not None:
                otherwise = self.decision(lines[1:], tree, span)
            elif not lines[1].children:
                self.report("empty-block", Text("nothing stands below this line"), lines[1].span)
            else:
                otherwise = self.alternatives(lines[1].children, lines[1].span)
                for extra in lines[2:]:
                    self.report("mixed-alternatives", Text("nothing can follow the `else`"), extra.span)
        return nodes.Decision(span, condition, then, otherwise) if then else None

    # ---- statements -----------------------------------------------------------------------------------------------

    def block(self, line: Line) -> tuple[nodes.Statement, ...]:
        if not line.children:
            self.report("empty-block", Text("nothing stands below this line"), line.span)
        return self.statements(line.children)

    def statements(self, lines: Sequence[Line]) -> tuple[nodes.Statement, ...]:
        out: list[nodes.Statement] = []
        index = 0
        while index < len(lines):
            line = lines[index]
            index += 1
            if line.text.startswith('"'):
                sentence = self.sentence(line)
                if sentence:
                    out.append(nodes.Tell(line.span, told=(sentence,)))
                continue
            tree = self.tree(line, "statement")
            if tree is None:
                self.statements(line.children)
                continue
            if tree.data == "else_line":
                self.report("else-without-if", Text("there is no `if` above that this `else` belongs to"), line.span)
                self.block(line)
            elif tree.data == "if_line":
                chain = [(line, tree)]
                while index < len(lines) and lines[index].text.split()[0] == "else":
                    other = self.tree(lines[index], "statement")
                    if other is not None and other.data == "else_line":
                        chain.append((lines[index], other))
                    index += 1
                out.append(self.if_chain(chain))
            else:
                statement = self.statement(line, tree)
                if statement:
                    out.append(statement)
        return tuple(out)

    def if_chain(self, chain: Sequence[tuple[Line, Tree[Token]]]) -> nodes.If:
        line, tree = chain[0]
        then = self.block(line)
        otherwise: tuple[nodes.Statement, ...] = ()
        if len(chain) > 1:
            if chain[1][1].children[0] is not None:
                otherwise = (self.if_chain(chain[1:]),)
            else:
                otherwise = self.block(chain[1][0])
                for extra, _ in chain[2:]:
                    self.report("else-without-if", Text("nothing can follow the `else`"), extra.span)
        return nodes.If(line.span, _Builder(line.span).expr(tree.children[0]), then, otherwise)

    def statement(self, line: Line, tree: Tree[Token]) -> nodes.Statement | None:
        build = _Builder(line.span)
        kids: list[Any] = tree.children
        span = line.span
        match tree.data:
            case "repeat":
                return nodes.Repeat(span, build.expr(kids[0]), self.block(line))
            case "until":
                return nodes.Until(span, build.expr(kids[0]), self.block(line))
            case "each_loop":
                first, last = build.maybe(kids[1]), build.maybe(kids[2])
                return nodes.Each(span, build.word(kids[0]), first, last, kids[3] is not None, self.block(line))
            case "go_round":
                return nodes.GoRound(span, build.expr(kids[0]), build.expr(kids[1]), self.block(line))
            case "becomes":
                value = self.value(line, build, kids[1])
                return nodes.Becomes(span, build.expr(kids[0]), value) if value else None
            case "local":
                value = self.value(line, build, kids[1])
                return nodes.Local(span, build.word(kids[0]), value) if value else None
        statement = build.statement(tree, self.told(line.children))
        if statement is None:
            self.report("not-a-statement", Text("this line says nothing that could happen"), line.span)
        return statement


class _Builder:
    """Turns the parse tree of one line into nodes with places in the file."""

    def __init__(self, line: Span) -> None:
        self.line = line

    def span(self, tree: Any) -> Span:
        if isinstance(tree, Token):
            start, end = tree.column, tree.end_column
        else:
            start, end = getattr(tree.meta, "column", None), getattr(tree.meta, "end_column", None)
        if start is None or end is None:
            return self.line
        offset = self.line.column - 1
        return Span(self.line.source, self.line.line, start + offset, end + offset)

    def word(self, token: Any) -> nodes.Word:
        return nodes.Word(str(token), self.span(token))

    def maybe_word(self, token: Any) -> nodes.Word | None:
        return self.word(token) if token is not None else None

    def maybe(self, tree: Any) -> nodes.Expr | None:
        return self.expr(tree) if tree is not None else None

    def integer(self, token: Any) -> int:
        return int(str(token)[:12])

    def stretch(self, tree: Any) -> nodes.Stretch:
        first = tree.children[0].children[0]
        last = tree.children[1]
        return nodes.Stretch(str(first), str(last) if last is not None else None, self.span(tree))

    # ---- expressions ----------------------------------------------------------------------------------------------

    def expr(self, tree: Any) -> nodes.Expr:
        kids: list[Any] = tree.children
        span = self.span(tree)
        match tree.data:
            case "name":
                return nodes.Name(span, str(kids[0]))
            case "person":
                return nodes.Person(span, str(kids[0]))
            case "number":
                return nodes.Number(span, self.integer(kids[0]))
            case "of":
                return nodes.Of(span, self.word(kids[0]), self.expr(kids[1]))
            case "members":
                return nodes.Members(span, self.word(kids[0]), self.maybe(kids[1]), self.where(kids, 2))
            case "best":
                by, source = self.word(kids[1]), self.expr(kids[2])
                extreme = "highest" if str(kids[0].children[0]) == "highest" else "lowest"
                return nodes.Best(span, extreme, by, source, self.where(kids, 3))  # type: ignore[arg-type]
            case "random":
                return nodes.Random(span, self.word(kids[0]), self.maybe(kids[1]), self.where(kids, 2))
            case "total":
                return nodes.Total(span, self.word(kids[0]), self.expr(kids[1]), self.where(kids, 2))
            case "count":
                return nodes.Count(span, self.word(kids[0]), self.maybe(kids[1]), self.where(kids, 2))
            case "quantify":
                return self.quantify(tree, span)
            case "equal" | "unequal":
                relation: nodes.Relation = "is" if tree.data == "equal" else "is_not"
                return nodes.Compare(span, relation, self.expr(kids[0]), self.expr(kids[1]))
            case "compare":
                return nodes.Compare(span, kids[1].data, self.expr(kids[0]), self.expr(kids[2]))
            case "exists":
                return nodes.Exists(span, kids[0] is not None, self.expr(kids[1]))
            case "all_pass":
                return nodes.AllPass(span)
            case "and_" | "or_":
                return nodes.Logic(span, tree.data[:-1], self.expr(kids[0]), self.expr(kids[1]))
            case "not_":
                return nodes.Not(span, self.expr(kids[0]))
            case "arith":
                return nodes.Arith(span, str(kids[1].children[0]), self.expr(kids[0]), self.expr(kids[2]))  # type: ignore[arg-type]
            case "times":
                return nodes.Arith(span, "*", self.expr(kids[0]), self.expr(kids[1]))
            case "divide":
                op = f"/{kids[2].children[0]}"
                return nodes.Arith(span, op, self.expr(kids[0]), self.expr(kids[1]))  # type: ignore[arg-type]
            case "otherwise" | "only_if":
                return self.alternatives(tree, span)
        raise AssertionError(tree.data)

    def where(self, kids: list[Any], index: int) -> nodes.Expr | None:
        return self.maybe(kids[index]) if len(kids) > index else None

    def quantify(self, tree: Any, span: Span) -> nodes.Quantify:
        quantity, noun, every, source, *where = tree.children
        amount = self.expr(quantity.children[0]) if quantity.children else None
        condition = self.maybe(where[0]) if where else None
        return nodes.Quantify(
            span, quantity.data, amount, self.word(noun), every is not None, self.maybe(source), condition
        )

    def alternatives(self, tree: Any, span: Span) -> nodes.Expr:
        branches: list[nodes.Branch] = []
        rest: Any = tree
        while rest is not None and rest.data in ("otherwise", "only_if"):
            kids = rest.children
            conditional = rest.data == "only_if"
            condition = self.expr(kids[1]) if conditional else None
            branches.append(nodes.Branch(self.expr(kids[0]), condition, (), self.span(kids[0])))
            position = 2 if conditional else 1
            rest = kids[position] if len(kids) > position else None
        if len(branches) == 1 and branches[0].condition is None:
            return branches[0].value
        return nodes.Alternatives(span, tuple(branches))

    # ---- statements and clauses -----------------------------------------------------------------------------------

    def statement(self, tree: Any, told: tuple[nodes.Sentence, ...]) -> nodes.Statement | None:
        kids: list[Any] = tree.children
        span = self.line
        match tree.data:
            case "choose":
                return self.choose(kids, told)
            case "must_be":
                relation = kids[1].data if kids[1] is not None else "is"
                condition = nodes.Compare(span, relation, self.expr(kids[0]), self.expr(kids[2]))
                return nodes.Must(span, condition, kids[3] is not None, told=told)
            case "must_not_be":
                condition = nodes.Compare(span, "is_not", self.expr(kids[0]), self.expr(kids[1]))
                return nodes.Must(span, condition, kids[2] is not None, told=told)
            case "must_exist" | "must_hold":
                return nodes.Must(span, self.expr(kids[0]), kids[1] is not None, told=told)
            case "goes":
                return nodes.Goes(span, self.expr(kids[0]), self.expr(kids[1]), told=told)
            case "pays":
                payer, amount, what, receiver = kids
                return nodes.Pays(
                    span, self.expr(payer), self.expr(amount), self.word(what), self.expr(receiver), told=told
                )
            case "deal":
                portion, source, each, to = kids
                kind = str(portion.data).removeprefix("portion_")
                amount = self.expr(portion.children[0]) if portion.children else None
                return nodes.Deal(
                    span, kind, amount, self.expr(source), each is not None, self.expr(to), told=told  # type: ignore[arg-type]
                )  # fmt: skip
            case "shuffle":
                return nodes.Shuffle(span, self.expr(kids[0]), told=told)
            case "turn":
                groups = tuple(tuple(self.word(name) for name in group.children) for group in kids[1:])
                return nodes.Turn(span, self.expr(kids[0]), groups, told=told)
            case "wins":
                extreme = "highest" if str(kids[0].children[0]) == "highest" else "lowest"
                return nodes.Wins(span, extreme, self.word(kids[1]), told=told)  # type: ignore[arg-type]
            case "call":
                called = self.expr(kids[0])
                if isinstance(called, nodes.Name):
                    return nodes.Call(span, nodes.Word(called.name, called.span), None, told=told)
                if isinstance(called, nodes.Of):
                    return nodes.Call(span, called.name, called.owner, told=told)
                return None
        raise AssertionError(tree.data)

    def choose(self, kids: list[Any], told: tuple[nodes.Sentence, ...]) -> nodes.Choose:
        amount, noun, source = kids
        base: nodes.Expr | None = None
        upper: nodes.Expr | None = None
        where: nodes.Expr | None = None
        if source is not None and source.data == "from_where":
            where = self.expr(source.children[0])
        elif source is not None:
            base = self.expr(source.children[0])
            upper = self.expr(source.children[1]) if len(source.children) > 1 else None
        count = self.word(amount.children[0]) if amount is not None else None
        return nodes.Choose(self.line, self.word(noun), count, base, upper, where, told=told)

    def clause(self, tree: Any) -> Clause:
        kids: list[Any] = tree.children
        span = self.line
        match tree.data:
            case "variant":
                return nodes.Variant(span, self.word(kids[0]))
            case "players":
                low = self.integer(kids[0])
                return nodes.Players(span, low, self.integer(kids[1]) if kids[1] is not None else low)
            case "place":
                return self.place(kids)
            case "keep":
                return self.keep(kids)
            case "scene":
                return nodes.Scene(span, self.word(kids[0]), self.maybe_word(kids[1]), tuple(map(self.word, kids[2:])))
            case "given_is":
                return nodes.GivenIs(span, self.expr(kids[0]), self.arguments(kids[1]))
            case "given":
                return nodes.Given(span, self.expr(kids[0]))
            case "act_line":
                return nodes.ActLine(span, self.act(kids[0]), self.maybe_word(kids[1]), self.arguments(kids[2]))
            case "claim_winners":
                return nodes.WinnersClaim(span, tuple(map(self.word, kids)))
            case "claim":
                return nodes.Claim(span, str(kids[0].children[0]), self.expr(kids[1]))  # type: ignore[arg-type]
            case "claim_legal":
                return nodes.LegalClaim(span, str(kids[0].children[0]) == "allowed", self.act(kids[1]))
        raise AssertionError(tree.data)

    def family(self, tree: Any) -> nodes.Family | None:
        if tree is None:
            return None
        if tree.data == "each_value":
            return nodes.Family(self.word(tree.children[0]))
        return nodes.Family(None, self.integer(tree.children[0]), self.integer(tree.children[1]))

    def place(self, kids: list[Any]) -> nodes.Place:
        properties: list[Any] = kids[2:]
        seen = tuple(self.word(p.children[0]) for p in properties if p.data == "seen")
        backs = tuple(self.word(p.children[0]) for p in properties if p.data == "backs")
        two_ended = any(p.data == "two_ended" for p in properties)
        return nodes.Place(self.line, self.word(kids[0]), self.family(kids[1]), seen, backs, two_ended)

    def keep(self, kids: list[Any]) -> nodes.Keep:
        name, family, kept = kids
        if kept.data == "kept_names":
            return nodes.Keep(self.line, self.word(name), self.family(family), tuple(map(self.word, kept.children)), None)
        return nodes.Keep(self.line, self.word(name), self.family(family), (), self.expr(kept.children[0]))

    def act(self, tree: Any) -> nodes.Act:
        person, verb, arguments = tree.children
        return nodes.Act(self.word(person), self.word(verb), self.arguments(arguments), self.span(tree))

    def arguments(self, tree: Any) -> tuple[nodes.Argument, ...]:
        return tuple(self.argument(kid) for kid in tree.children) if tree is not None else ()

    def argument(self, tree: Any) -> nodes.Argument:
        where = self.expr(tree.children[1]) if tree.data == "arg_where" else None
        return nodes.Argument(str(tree.children[0]), where, self.span(tree))


# ---- what a failed line looks like to the explainer ------------------------------------------------------------------


def _where(problem: UnexpectedInput, text: str) -> tuple[int, int, list[str]]:
    """The first and last column of what cannot stand there, and the words that could."""
    accepted = sorted(getattr(problem, "accepts", None) or getattr(problem, "expected", None) or problem.allowed or ())
    words = [_terminal_word(name) for name in accepted]
    if isinstance(problem, UnexpectedToken) and problem.token.type == "$END":
        return len(text) + 1, len(text) + 2, words
    if isinstance(problem, UnexpectedCharacters):
        return problem.column, problem.column + 1, words
    token = problem.token  # type: ignore[attr-defined]
    return token.column, token.end_column, words


@cache
def _terminal_words() -> dict[str, str]:
    return {t.name: str(t.pattern.value) for t in grammar().terminals if t.name not in ("INT", "NAME", "PERSON")}


def _terminal_word(name: str) -> str:
    """A keyword as written; `INT`, `NAME`, `PERSON` and `$END` stay as they are."""
    return _terminal_words().get(name, name)


def _reads(text: str, start: str) -> bool:
    try:
        grammar().parse(text, start=start)
    except UnexpectedInput:
        return False
    return True
