"""model → exact words: what each line of a rule file says, in sentences that are made from the line alone."""
