"""A seed → a rule file that can be played, made of every form of the rule language; and a file that differs → a small one."""
