"""two games → what differs, and a scene that shows it; one game → what can be changed."""
