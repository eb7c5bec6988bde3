"""All tables of one process: which token leads where, and what is kept on the disk so that a restart loses nothing."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from babel import Locale
from teufelswerk.base.diagnostics import RuleFileError
from teufelswerk.base.find_files import is_file, shipped
from teufelswerk.base.texts import Text
from teufelswerk.base.user_folders import data_home
from teufelswerk.interpreter.game import Game
from teufelswerk.interpreter.show import NOBODY
from teufelswerk.interpreter.state import Unreadable
from teufelswerk.language.i18n import languages
from teufelswerk.loading.model_cache import load_model
from teufelswerk.model import Model
from teufelswerk.sessions.journal import Journal, Unusable
from teufelswerk.sessions.session import Session

from teufelswerk_web.tables.gathering import Arrangement, Gathering
from teufelswerk_web.tables.table import Table
from teufelswerk_web.wire.lexicon import Lexicon

MOST_TABLES = 1_000
FOLDER = "hosted"


class House:
    """Opens tables, finds them by tokens, and keeps who sits where."""

    def __init__(self, origin: str = "", pace: float = 0.9, keeps: bool = True) -> None:
        self.tables: dict[str, Table] = {}
        self.games: dict[str, Model] = {}
        """By the name under which their pictures are asked for."""
        self.lexicons: dict[tuple[str, str], Lexicon] = {}
        self.keeps = keeps
        names = [(language, Locale(language).get_display_name() or language) for language in languages()]
        self.arrangement = Arrangement(self.lexicon, self.journal, self.keep, pace, names, origin)

    # ---- tables -----------------------------------------------------------------------------------------------------

    def open(self, rules: Model, players: int, bot: str, token: str = "", seed: int | None = None) -> Table:
        if len(self.tables) >= MOST_TABLES:
            raise Unusable(Text("there can be no more than {limit} tables", limit=MOST_TABLES))
        table = Table(Game(rules, players), bot, self.arrangement, token, seed)
        self.tables[table.token] = table
        self.games.setdefault(rules.digest, rules)
        return table

    def clear_away(self, used: Collection[Model]) -> None:
        """Forgets the words and pictures of rules that nobody plays by any more."""
        left = {rules.digest for rules in used} | {table.game.rules.digest for table in self.tables.values()}
        self.games = {digest: rules for digest, rules in self.games.items() if digest in left}
        self.lexicons = {key: found for key, found in self.lexicons.items() if key[0].partition("/")[0] in left}

    def find(self, token: str) -> tuple[Table, int] | None:
        """The table that a token leads to, and the seat: nobody's, if it is the link for all."""
        if token in self.tables:
            return self.tables[token], NOBODY
        for table in self.tables.values():
            for chair in table.chairs.all:
                if chair.token and chair.token == token:
                    return table, chair.seat
        return None

    # ---- words and pictures -----------------------------------------------------------------------------------------

    def lexicon(self, game: Game, language: str) -> Lexicon:
        key = f"{game.rules.digest}/{game.players}", language
        if key not in self.lexicons:
            self.lexicons[key] = Lexicon(game, language, f"/cards/{game.rules.digest}")
        return self.lexicons[key]

    def lexicon_of(self, digest: str, language: str) -> Lexicon | None:
        """For pictures and the rulebook, which are the same at all tables."""
        if language not in languages() or digest not in self.games:
            return None
        rules = self.games[digest]
        return self.lexicon(Game(rules, rules.min_players), language)

    # ---- on the disk ------------------------------------------------------------------------------------------------

    def journal(self, game: Game, names: list[str], seats: list[str], seed: int) -> Journal | None:
        if not self.keeps:
            return None
        path = Path(game.rules.source.path)
        comes_along = path.resolve() in {known.resolve() for known in shipped().values()}
        return Journal.create(game, names, seats, seed, None if comes_along else path)

    def keep(self, table: Gathering) -> None:
        """Writes down who sits where; the moves are in the journal."""
        if not self.keeps:
            return
        journal = table.session.journal if table.session is not None else None
        rules = table.game.rules
        kept = {
            "token": table.token,
            "rules": str(Path(rules.source.path).resolve()),
            "set": rules.changed_values,
            "players": table.game.players,
            "bot": table.chairs.bot,
            "chairs": table.chairs.to_json(),
            "journal": str(journal.path) if journal is not None else None,
        }
        place = folder()
        part = place / f".{table.token}.new"
        handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(kept, file)
            file.flush()
            os.fsync(file.fileno())
        part.replace(place / f"{table.token}.json")

    def reopen(self) -> Iterator[Text]:
        """Opens again all tables that are kept and whose games are not over; says what could not be opened."""
        for path in sorted(folder().glob("*.json")):
            try:
                if not self.reopen_one(json.loads(path.read_text(encoding="utf-8"))):
                    path.unlink()
            except (Unusable, Unreadable) as problem:
                yield problem.message
            except RuleFileError as problem:
                yield problem.diagnostics[0].message
            except (OSError, ValueError, KeyError, TypeError):
                yield Text("`{path}` does not describe a table", path=str(path))

    def reopen_one(self, kept: dict[str, Any]) -> bool:
        """False if there is nothing to go on with."""
        path = Path(kept["rules"])
        if not is_file(path):
            raise Unusable(Text("there is no file `{path}`", path=str(path)))
        rules = load_model(path, kept["set"])
        table = Table(Game(rules, kept["players"]), kept["bot"], self.arrangement, kept["token"])
        table.chairs.restore(kept["chairs"])
        if kept["journal"] is not None:
            if not is_file(Path(kept["journal"])):
                return False
            journal, lines = Journal.open(Path(kept["journal"]))
            seats = [chair.kind for chair in table.chairs.all]
            session = Session(table.game, lines[0]["players"], seats, lines[0]["seed"], journal)
            session.resume(lines)
            if table.game.is_over(session.state):
                journal.close()
                return False
            table.session = session
            table.seat_people(session)
        self.tables[table.token] = table
        self.games.setdefault(rules.digest, rules)
        return True

    def close(self) -> None:
        """Gives the journals back, so that somebody else can go on with them."""
        for table in self.tables.values():
            if table.session is not None and table.session.journal is not None:
                table.session.journal.close()


def folder() -> Path:
    """Where tables are kept, for their owner alone."""
    home = data_home()
    if home is None:
        raise Unusable(Text("there is no place for saved games: set `HOME` or `XDG_DATA_HOME`"))
    place = home / FOLDER
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    with contextlib.suppress(OSError):
        place.chmod(0o700)
    return place
