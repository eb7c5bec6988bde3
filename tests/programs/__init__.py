"""A seed → a rule file that can be played, made of every form of the language; a file that differs → a small one."""
