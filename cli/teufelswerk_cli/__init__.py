"""The command line: says in people's words what the interpreter answers."""
