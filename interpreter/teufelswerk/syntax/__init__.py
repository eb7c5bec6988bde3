"""bytes → nodes: what a rule file says, as it says it."""
