"""A checked game as data: what its author said, every name looked up. What people read is made of it."""

from teufelswerk.model.expressions import *  # noqa: F403
from teufelswerk.model.faces import *  # noqa: F403
from teufelswerk.model.game import *  # noqa: F403
from teufelswerk.model.statements import *  # noqa: F403
from teufelswerk.model.types import *  # noqa: F403
