"""The mail tool contract: each tool's name, arguments, answer, risk tier and reversal."""
