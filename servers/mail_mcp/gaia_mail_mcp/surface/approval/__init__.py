"""Asks the user to confirm a call, through a channel that the model does not read. Used by `approving`."""
