"""Raw message → what its sender newly wrote, and what was taken away on the way. Pure functions.

Entry point: `pipeline.prepare`.
"""
