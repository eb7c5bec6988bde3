"""Games → environments of other libraries for learning, which need not be installed."""
