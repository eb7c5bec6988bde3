"""placeholder"""

from teufelswerk.diagnostics import Diagnostic


def check_sight(*args: object) -> list[Diagnostic]:
    return []
