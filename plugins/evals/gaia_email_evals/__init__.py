"""Measures the quality of verdicts on labelled messages, for `gaia email eval`."""
