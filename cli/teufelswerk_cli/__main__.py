"""Chooses the language before anything is said, then hands over to the commands."""

from __future__ import annotations

import sys


def main() -> None:
    from teufelswerk.language.i18n import DEFAULT, Translator, UnknownLanguage, choose_language

    from teufelswerk_cli.console.speech import language_option, say_in
    from teufelswerk_cli.console.terminal import guard

    guard()
    try:
        say_in(Translator(choose_language(language_option(sys.argv[1:]))))
    except UnknownLanguage as problem:
        say_in(Translator(DEFAULT))
        sys.stderr.write(f"{Translator(DEFAULT)(problem.message)}\n")
        sys.exit(2)
    from teufelswerk_cli.commands import run

    run()


if __name__ == "__main__":
    main()
