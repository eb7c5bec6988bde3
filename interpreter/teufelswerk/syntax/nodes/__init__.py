"""What a rule file says, as it says it: one node for each construct, names not yet looked up."""

from teufelswerk.syntax.nodes.clauses import *  # noqa: F403
from teufelswerk.syntax.nodes.expressions import *  # noqa: F403
from teufelswerk.syntax.nodes.statements import *  # noqa: F403
