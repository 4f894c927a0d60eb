"""The sample mailbox: made-up mail of a made-up person, dated relative to today. Entry: `mailbox.write_sample`."""
