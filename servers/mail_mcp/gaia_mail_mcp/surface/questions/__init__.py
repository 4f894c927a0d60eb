"""Questions shown before a call, built from its arguments and the current mailbox. Entry: `plan.plan`."""
