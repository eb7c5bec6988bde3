"""model → what it means, in as few forms as possible: everything that runs a game or reckons about it reads these."""
