"""What a person is shown before a call: made from its arguments and the mailbox as it is. Entry: `plan.plan`."""
