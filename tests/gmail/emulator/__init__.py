"""A Google account on loopback: Gmail and OAuth as Google documents them. Entry: `emulator.Emulator`."""
