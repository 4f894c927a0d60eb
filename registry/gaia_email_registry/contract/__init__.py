"""The mail tool contract: every tool's name, arguments, answer, risk tier and what reverses it."""
