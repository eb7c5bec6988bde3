"""What all tests share: hypothesis draws the same cases on every run, and `--update-golden` rewrites golden files."""

from __future__ import annotations

import signal

import pytest
from hypothesis import HealthCheck, settings
from shipped import beyond_sample

# rule files that are meant to be refused, or to do harm: tests open them by name
collect_ignore = ["hostile", "fixtures/programs"]

settings.register_profile(
    "repeatable",
    derandomize=True,
    deadline=None,
    database=None,
    max_examples=40,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("repeatable")
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # whoever starts the tests in the background may have switched Ctrl-C off, also for what the tests start
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write the golden files anew instead of comparing")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What is a test of the program, and not of a game, is run with a few games; with the others it is slow."""
    for item in items:
        params = getattr(item, "callspec", None)
        if params and not item.get_closest_marker("each_game") and any(map(beyond_sample, params.params.values())):
            item.add_marker("slow")


@pytest.fixture
def update_golden(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--update-golden"))
