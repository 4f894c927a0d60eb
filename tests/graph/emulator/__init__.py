"""A stand-in for Microsoft Graph: mail and folders, delta, batches, throttling. Entry: `emulator.Emulator`."""
