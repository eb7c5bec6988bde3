"""What people ask for → games that go on: who sits where, whose turn it is, what everyone is sent."""
