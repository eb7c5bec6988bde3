"""placeholder"""

from teufelswerk.diagnostics import Diagnostic


def check_flow(*args: object) -> list[Diagnostic]:
    return []
