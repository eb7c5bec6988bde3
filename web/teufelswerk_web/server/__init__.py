"""Requests and sockets → what people ask for; within bounds, for whoever has a link."""
