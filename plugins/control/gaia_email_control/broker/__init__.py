"""The broker: the only writer of the protocol's records. Start reading at `commands`."""
