"""What the commands share: the group, their options, how they open a game, and how they end."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from teufelswerk.base.diagnostics import RuleFileError
from teufelswerk.base.find_files import data_folder, find, other_checkout
from teufelswerk.base.limits import MAX_NUMBER, MAX_SEED
from teufelswerk.base.texts import Text
from teufelswerk.language.i18n import match

from teufelswerk_cli.console.extras import in_checkout
from teufelswerk_cli.console.speech import _, beside, complain, say

if TYPE_CHECKING:
    from teufelswerk.loading.library import Loaded
    from teufelswerk.model import Model

    from teufelswerk_cli.console.extras import Extra

Command = TypeVar("Command", bound=Callable[..., Any])
FAILED, WRONG, STOPPED = 1, 2, 130
VARIANT, LANGUAGE = "teufelswerk.variant", "teufelswerk.language"


class Refused(Exception):
    """Ends a command with an exit code after everything has been said."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


def refuse(message: Text, code: int = WRONG) -> Refused:
    sys.stderr.write(say(message) + "\n")
    return Refused(code)


def need(extra: Extra) -> None:
    """Sees to it that the packages of an extra are there, or ends the command with what to type for them."""
    from teufelswerk_cli.console import extras

    if not extras.is_there(extra):
        raise refuse(extras.fetch(extra))


def by_ending(path: str, endings: Sequence[str]) -> str:
    """What the name of a file asks for: the one of these that it ends in."""
    ending = Path(path).suffix.lower().removeprefix(".")
    if ending not in endings:
        listed = [f"`.{known}`" for known in endings]
        raise refuse(Text("`{path}` cannot be written: its name must end in {endings:or}", path=path, endings=listed))
    return ending


# ---- usage in the language of this run ------------------------------------------------------------------------------


class Spoken(click.Command):
    """A command whose usage line, and what stands in it for a value, is in the language of this run."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **{"options_metavar": _("[OPTIONS]"), **settings})
        words = {"game": _("GAME"), "file": _("FILE"), "bots": _("BOTS"), "humans": _("NAME")}
        for param in self.params:
            if param.metavar is None and param.name in words:
                optional = isinstance(param, click.Argument) and not param.required
                param.metavar = f"[{words[param.name]}]" if optional else words[param.name]
            elif isinstance(param.type, (click.types.IntParamType, click.types.FloatParamType)):
                param.type = copy(param.type)
                param.type.name = _("number")

    def get_short_help_str(self, limit: int = 0) -> str:
        """In the list of commands each says all that it has to say; it is wrapped there, not cut off."""
        return self.help or ""


class SpokenGroup(click.Group):
    command_class = Spoken


# ---- options that several commands share ----------------------------------------------------------------------------


SEED = click.IntRange(0, MAX_SEED)
FIRST_SEED = click.IntRange(0, MAX_SEED // 2)
"""The seeds of the games that follow it are seeds too."""


class Setting(click.ParamType[dict[str, int]]):
    """`NAME=VALUE`"""

    name = "NAME=VALUE"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> dict[str, int]:
        name, sign, number = (part.strip() for part in str(value).partition("="))
        if not name or not sign or not number:
            self.fail(_("`{value}` is not of the form NAME=NUMBER, as in hand-size=8", value=value), param, ctx)
        if not number.isdecimal() or len(number) > 12 or int(number) > MAX_NUMBER:
            message = _("`{number}` is no whole number from 0 to {most}", number=number, most=MAX_NUMBER)
            self.fail(message, param, ctx)
        return {name: int(number)}


def with_settings(command: Command) -> Command:
    text = _("Changes a value of the rules, as in hand-size=8. May be given several times.")
    setting = click.option("--set", "settings", type=Setting(), multiple=True, metavar=_("NAME=VALUE"), help=text)
    return with_variant(setting(command))


def with_variant(command: Command) -> Command:
    """Whoever opens a game opens this variant of it; see `located`."""

    def remember(ctx: click.Context, param: click.Parameter, value: tuple[str, ...]) -> None:
        if len(value) > 1:
            message = Text(
                "one variant at a time, not {names}: to have both, write a file that begins with `variant of {first}`,"
                " and copy into it what `{second}` changes",
                names=[f"`{name}`" for name in value], first=value[0], second=value[1],
            )  # fmt: skip
            raise refuse(message)
        ctx.meta[VARIANT] = value[0] if value else None

    text = _("A variant of the game, by name or by path.")
    option = click.option(
        "--variant", metavar=_("NAME"), multiple=True, expose_value=False, callback=remember, help=text
    )
    return option(command)


def with_engine(command: Command) -> Command:
    def installed(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
        if value == "native":
            need("native")
        return value

    text = _("Who plays: the reference interpreter, compiled rules, or machine code; the fastest if not said.")
    choices = click.Choice(["reference", "python", "native"])
    return click.option("--engine", type=choices, callback=installed, help=text)(command)


def with_crew(command: Command) -> Command:
    """Who plays many games: `jobs` processes of this machine, or the cluster at an address."""

    def installed(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
        if value is not None:
            need("cluster")
        return value

    text = _("How many processes; as many as there are cores if not said.")
    jobs = click.option("--jobs", type=click.IntRange(1), help=text)
    text = _("Plays on the Dask cluster whose scheduler has this address, as in tcp://host:8786.")
    return jobs(click.option("--cluster", metavar=_("ADDRESS"), callback=installed, help=text)(command))


class Seconds(click.FloatRange):
    """A time. Nothing is more or less than `nan`, so that no bound keeps it out."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        found = super().convert(value, param, ctx)
        return (
            self.fail(_("{value} is not in the range {range}.", value=found, range=self._describe_range()))
            if isnan(found)
            else found
        )


def with_think(command: Command) -> Command:
    text = _("How many seconds a bot thinks about a decision, counted so that the same seed makes the same moves.")
    return click.option("--think", type=Seconds(0.01, 60), metavar=_("SECONDS"), help=text)(command)


def with_language(command: Command) -> Command:
    text = _("The language: de, en, ru, or any other that there is a catalog for.")

    def note(context: click.Context, option: click.Parameter, value: str | None) -> None:
        context.meta[LANGUAGE] = value

    return click.option("--lang", "_lang", metavar=_("LANGUAGE"), expose_value=False, callback=note, help=text)(command)


def asked_for() -> tuple[str, ...] | None:
    """The language that was named on the command line, if one was."""
    context = click.get_current_context(silent=True)
    wanted = context.meta.get(LANGUAGE) if context else None
    return (match(wanted) or wanted,) if wanted else None


def merged(settings: tuple[dict[str, int], ...]) -> dict[str, int]:
    return {name: number for setting in settings for name, number in setting.items()}


def located(name: str) -> Path:
    """The file of a game, or of the variant of it that was asked for."""
    context = click.get_current_context(silent=True)
    return find(name, context.meta.get(VARIANT) if context else None)


def opened(name: str, settings: tuple[dict[str, int], ...] = ()) -> Loaded:
    """The game with its examples and all that was found, or its diagnostics on the error stream and the end."""
    from teufelswerk.loading.library import load

    with complaining():
        path = located(name)
        loaded = load(path, merged(settings))
        refuse_unfitting(path, merged(settings), loaded.model)
        if loaded.model is None:
            raise RuleFileError([d for d in loaded.diagnostics if d.is_error])
    beside(path)
    return loaded


def model_of(name: str, settings: tuple[dict[str, int], ...] = ()) -> Model:
    """The game's rules alone, which is quicker; or its diagnostics on the error stream and the end."""
    from teufelswerk.loading.model_cache import load_model

    with complaining():
        path = located(name)
        try:
            rules = load_model(path, merged(settings))
        except RuleFileError:
            refuse_unfitting(path, merged(settings), None)
            raise
        refuse_unfitting(path, merged(settings), rules)
    beside(path)
    return rules


@contextmanager
def complaining() -> Iterator[None]:
    """Whatever is wrong with a rule file is told, and the command ends."""
    try:
        yield
    except RuleFileError as problem:
        complain(problem.diagnostics)
        raise Refused(WRONG) from None


def refuse_unfitting(path: Path, values: dict[str, int], rules: Model | None) -> None:
    """Values with which the game cannot begin are refused with how far they can go."""
    if not values:
        return
    from teufelswerk.compare.value_ranges import unfitting

    context = click.get_current_context(silent=True)
    players = context.params.get("players") if context else None
    if found := unfitting(path, values, rules, players if isinstance(players, int) else None):
        raise RuleFileError(found)


@click.group(
    cls=SpokenGroup,
    options_metavar=_("[OPTIONS]"),
    subcommand_metavar=_("COMMAND …"),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    help=_("Card games as text files: play them, check them, change them."),
    epilog=_("In this folder there are also: `test`, `lint`, `extra NAME`, `messages update`.")
    if in_checkout()
    else None,
)
@click.version_option(package_name="teufelswerk", prog_name="teufelswerk", message="%(prog)s %(version)s")
@with_language
def cli() -> None:
    if (checkout := other_checkout()) is not None:
        message = Text(
            "the rules that come along are read from `{folder}`, so changes in `{checkout}` have no effect here;"
            " there, type `python3 cli` instead",
            folder=str(data_folder("rules")), checkout=str(checkout),
        )  # fmt: skip
        sys.stderr.write(say(message) + "\n")
