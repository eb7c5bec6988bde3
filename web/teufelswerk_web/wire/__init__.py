"""Views and what a seat sees happen → messages for one reader in one language; messages → what somebody asks for."""
