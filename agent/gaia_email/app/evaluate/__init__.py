"""Measuring how well mail is understood, on labelled messages; what `gaia email eval` does."""
