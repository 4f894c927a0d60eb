"""Who confirms a call: a person, through a channel that the model does not read. Used by `approving`."""
