"""The commands: each asks the interpreter and shows its answer. 0 is fine, 1 a failed check, 2 wrong usage or input."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import Any

import click
from teufelswerk.base.diagnostics import Diagnostic, RuleError, RuleFileError, as_json
from teufelswerk.base.find_files import shipped
from teufelswerk.base.texts import Text
from teufelswerk.interpreter.state import Unreadable

from teufelswerk_cli.authoring import variant_commands as variant_commands
from teufelswerk_cli.console.options import (
    FAILED,
    FIRST_SEED,
    SEED,
    WRONG,
    Refused,
    asked_for,
    complaining,
    located,
    merged,
    model_of,
    opened,
    refuse,
    with_language,
    with_settings,
    with_think,
)
from teufelswerk_cli.console.options import cli as cli
from teufelswerk_cli.console.speech import _, beside, command, complain, say, translator
from teufelswerk_cli.console.terminal import NotHeard
from teufelswerk_cli.editor import commands as editor_commands  # noqa: F401
from teufelswerk_cli.editor import studio_command as studio_command
from teufelswerk_cli.many import commands as commands  # these declare commands of their own
from teufelswerk_cli.table import host_command as host_command

# ---- games, check, outline ------------------------------------------------------------------------------------------


@cli.command(help=_("Lists the games by families, what one game is about, or those that you have saved."))
@click.argument("game", required=False)
@click.option("--saved", is_flag=True, help=_("The saved games, the latest first."))
@with_language
def games(game: str | None, saved: bool) -> None:
    from teufelswerk_cli.table.listing import show_games, show_one, show_saved

    if not saved:
        with complaining():
            show_one(game) if game else show_games()
        return
    from teufelswerk.sessions.journal import Unusable

    try:
        show_saved()
    except Unusable as problem:
        raise refuse(problem.message, FAILED) from None


@cli.command(help=_("Checks rule files: the shipped games by name, your own by path."))
@click.argument("files", nargs=-1, required=True, metavar=_("FILE…"))
@click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", help=_("How findings are shown.")
)
@click.option("--watch", is_flag=True, help=_("Checks again whenever a file is saved, and shows what has changed."))
@click.option(
    "--still-true",
    is_flag=True,
    help=_("Says that the words tell their changed lines rightly, in all languages or in that of --lang."),
)
@with_settings
@with_language
def check(
    files: tuple[str, ...], form: str, watch: bool, still_true: bool, settings: tuple[dict[str, int], ...]
) -> None:
    from teufelswerk.loading.library import load
    from teufelswerk.whole_file import file_findings

    from teufelswerk_cli.authoring.words_in_doubt import say_still_true, words_in_doubt

    if watch:
        from teufelswerk_cli.authoring.watch import watch_files

        watch_files(files, merged(settings), located)
        return
    worst = 0
    for name in files:
        try:
            loaded = load(located(name), merged(settings))
            if loaded.model is not None:
                beside(loaded.path)
            found = file_findings(loaded, merged(settings))
            if still_true:
                say_still_true(loaded, asked_for())
            found += [] if merged(settings) else words_in_doubt(name, loaded)
        except RuleFileError as problem:
            found = problem.diagnostics
        show_findings(name, found, form)
        if any(d.is_error for d in found):
            worst = WRONG
    if worst:
        raise Refused(worst)


def show_findings(name: str, found: list[Diagnostic], form: str) -> None:
    if form == "json":
        for diagnostic in found:
            click.echo(as_json(diagnostic, translator()))
        return
    complain(found)
    errors = sum(d.is_error for d in found)
    warnings = len(found) - errors
    if errors:
        click.echo(_("{name}: {errors} {errors:error|errors}", name=name, errors=errors))
    elif warnings:
        click.echo(_("{name}: fine, with {n} {n:remark|remarks}", name=name, n=warnings))
    else:
        click.echo(_("{name}: fine", name=name))


@cli.command(help=_("Shows the flow of a game as a tree, with line numbers."))
@click.argument("game")
@with_settings
@with_language
def outline(game: str, settings: tuple[dict[str, int], ...]) -> None:
    from teufelswerk.model.outline import outline_of

    for line in outline_of(model_of(game, settings)):
        click.echo(line)


# ---- examples -------------------------------------------------------------------------------------------------------


@cli.command(help=_("Runs the examples of a game, or of all games, and prints each claim with its verdict."))
@click.argument("game", required=False)
@click.option("--coverage", is_flag=True, help=_("Says which rules, branches and refusals no example exercises."))
@with_settings
@with_language
def examples(game: str | None, coverage: bool, settings: tuple[dict[str, int], ...]) -> None:
    from teufelswerk_cli.authoring.examples_shown import show_coverage, show_examples, show_replaced, show_wrong

    failed = 0
    for name in [game] if game else list(shipped()):
        loaded = opened(name, settings)
        assert loaded.model
        show = show_coverage if coverage else show_examples
        failed += show(loaded.model, loaded.scenes)
        if not coverage:
            failed += show_wrong(loaded, merged(settings))
            show_replaced(loaded)
    if failed:
        raise Refused(FAILED)


@cli.command(help=_("Looks by play for positions in which the rules name no move, and shows the shortest as a scene."))
@click.argument("game")
@click.option("--players", type=int, help=_("How many play; every possible number if not said."))
@click.option("--games", "count", type=click.IntRange(1), default=1000, show_default=True, help=_("How many games."))
@click.option("--seed", type=FIRST_SEED, default=1, show_default=True, help=_("The first game's seed."))
@with_settings
@with_language
def gaps(game: str, players: int | None, count: int, seed: int, settings: tuple[dict[str, int], ...]) -> None:
    from teufelswerk_cli.authoring.examples_shown import show_gaps

    rules = model_of(game, settings)
    numbers = [players] if players is not None else list(range(rules.min_players, rules.max_players + 1))
    if sum(show_gaps(rules, number, count, seed) for number in numbers):
        raise Refused(FAILED)


# ---- replay ----------------------------------------------------------------------------------------------------------


@cli.command(help=_("Shows a recorded game again, and checks it against the rules in force."))
@click.argument("file", type=click.Path())
@click.option("--step", is_flag=True, help=_("Waits for Enter after every move."))
@click.option("--fast", is_flag=True, help=_("Does not wait at all."))
@with_language
def replay(file: str, step: bool, fast: bool) -> None:
    from teufelswerk_cli.table.replay import replay_file

    problem = replay_file(file, step, fast, model_of)
    if problem is not None:
        raise refuse(problem, FAILED)


# ---- play -----------------------------------------------------------------------------------------------------------


@cli.command(help=_("Plays a game at the terminal, by name or with a rule file of your own."))
@click.argument("game", required=False)
@click.option("--players", type=int, help=_("How many play."))
@click.option("--human", "humans", multiple=True, help=_("The name of a person who plays. May be given several times."))
@click.option("--bots", help=_("Who plays the other seats: expert, careful, beginner, random, or several with commas."))
@with_think
@click.option(
    "--from",
    "place",
    metavar=_("PLACE"),
    help=_("Begins in a line, an example, a step or a move of the rule file, to try it out."),
)
@click.option("--watch", is_flag=True, help=_("Only bots play."))
@click.option("--seed", type=SEED, help=_("Deals the same cards again."))
@click.option(
    "--speed",
    type=click.Choice(["slow", "normal", "quick", "none"]),
    default="normal",
    help=_("How much time there is to look at each move of the others."),
)
@click.option("--fast", is_flag=True, help=_("The bots play without a pause."))
@click.option("--step", is_flag=True, help=_("Waits for Enter after every move."))
@click.option("--teach", is_flag=True, help=_("Explains every turn of yours in the first round."))
@click.option("--casual", is_flag=True, help=_("Against bots, any move can be taken back; the saved game notes it."))
@click.option(
    "--resume",
    is_flag=False,
    flag_value="",
    metavar="[" + _("GAME") + "]",
    help=_("Goes on with a saved game; the last unfinished one if none is named."),
)
@with_settings
@with_language
def play(settings: tuple[dict[str, int], ...], place: str | None, **options: Any) -> None:
    from teufelswerk.sessions.journal import Unusable

    from teufelswerk_cli.table.play import Options, Trouble, play_at_terminal

    try:
        if place is None:
            play_at_terminal(Options(settings=merged(settings), **options), model_of)
            return
        from teufelswerk_cli.table.from_here import play_from_here

        if options["game"] is None:
            raise refuse(Text("say which game `--from` is about"))
        play_from_here(Options(settings=merged(settings), **options), opened(options["game"], settings), place)
    except Trouble as problem:
        raise refuse(problem.message) from None
    except Unusable as problem:
        raise refuse(problem.message, FAILED) from None


@cli.command(help=_("Helps people with real cards: says what is allowed and why, keeps score, finds mistakes."))
@click.argument("game")
@click.option("--human", "humans", multiple=True, help=_("The name of a person who plays. May be given several times."))
@click.option("--players", type=int, help=_("How many play."))
@click.option("--ask", metavar=_("QUESTION"), help=_("Answers a question: CARD on CARD, CARD with CARD, CARD."))
@click.option("--resume", is_flag=True, help=_("Goes on with the last game of this kind."))
@with_settings
@with_language
def referee(
    game: str,
    humans: tuple[str, ...],
    players: int | None,
    ask: str | None,
    resume: bool,
    settings: tuple[dict[str, int], ...],
) -> None:
    from teufelswerk.sessions.journal import Unusable

    from teufelswerk_cli.table.referee_command import Trouble, answer, referee_at_table

    rules = model_of(game, settings)
    try:
        if ask is None:
            referee_at_table(rules, humans, merged(settings), resume)
        elif not answer(rules, players, ask):
            raise Refused(FAILED)
    except (Trouble, Unusable) as problem:
        raise refuse(problem.message) from None


# ---- rulebook -------------------------------------------------------------------------------------------------------


@cli.command(help=_("Makes a game's rulebook: its words, pictures of the cards, the course of the game, the examples."))
@click.argument("game")
@click.option(
    "--format", "form", type=click.Choice(["md", "html", "pdf"]), help=_("Markdown, a web page, or a booklet to print.")
)
@click.option("-o", "--output", type=click.Path(dir_okay=False), help=_("The file to write."))
@click.option("--clauses", is_flag=True, help=_("Shows the lines of the rule file beside the words."))
@click.option("--exact", is_flag=True, help=_("Says beside the words what each line says exactly."))
@with_settings
@with_language
def rulebook(
    game: str, form: str | None, output: str | None, clauses: bool, exact: bool, settings: tuple[dict[str, int], ...]
) -> None:
    from teufelswerk_cli.authoring.rulebook_command import write_rulebook

    write_rulebook(opened(game, settings), form, output, clauses, exact, refuse)


@cli.command(help=_("Makes sheets of a game's cards to print and cut out: fronts, and their backs behind them."))
@click.argument("game")
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False),
    required=True,
    help=_("The file to write: a PDF, or a picture (SVG) of each sheet."),
)
@click.option("--paper", type=click.Choice(["a4", "letter"]), default="a4", help=_("What is printed on."))
@click.option("--no-backs", is_flag=True, help=_("Leaves out the backs."))
@with_settings
@with_language
def cards(game: str, output: str, paper: str, no_backs: bool, settings: tuple[dict[str, int], ...]) -> None:
    from teufelswerk_cli.authoring.cards_command import write_cards

    rules = opened(game, settings).model
    assert rules
    write_cards(rules, output, paper, not no_backs, refuse)


@cli.command(
    help=_("Writes the texts of a rule file into catalogs beside it, for translating, and says how far they are.")
)
@click.argument("game", required=False)
@click.option(
    "--into", multiple=True, metavar="LANGUAGE", help=_("A language to begin, as `de`; without a game, of the program.")
)
@with_language
def messages(game: str | None, into: tuple[str, ...]) -> None:
    from teufelswerk_cli.authoring.messages_command import begin_language, write_catalogs

    if game is None:
        begin_language(into, refuse)
        return
    opened(game)
    write_catalogs(game, located(game), into, refuse)


def run() -> None:
    """Runs the command line; whatever goes wrong ends in a sentence, if anybody hears it, and an exit code."""
    try:
        _run()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except NotHeard as problem:
        with suppress(NotHeard):
            sys.stderr.write(_("`{path}` cannot be written: {reason}", path="stdout", reason=str(problem)) + "\n")
            sys.stderr.flush()
        for stream in (sys.stdout, sys.stderr):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        sys.exit(WRONG)


def _run() -> None:
    try:
        cli.main(prog_name=command(), standalone_mode=False)
        sys.stdout.flush()
    except Refused as refused:
        sys.exit(refused.code)
    except click.exceptions.Exit as leaving:
        sys.exit(leaving.exit_code)
    except click.Abort:
        sys.stderr.write("\n" + _("stopped") + "\n")
        sys.exit(130)
    except click.ClickException as problem:
        problem.show()
        sys.exit(WRONG)
    except RuleError as problem:
        complain([problem.diagnostic])
        sys.exit(WRONG)
    except Unreadable as problem:
        sys.stderr.write(say(problem.message) + "\n")
        sys.exit(WRONG)
    except KeyboardInterrupt:
        sys.stderr.write("\n" + _("stopped") + "\n")
        sys.exit(130)
