"""From a raw message to its sender's new text, with all that was removed on the way. Pure functions.

Entry point: `pipeline.prepare`.
"""
