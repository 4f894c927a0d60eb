"""Prepared message → verdict. Tiers of rising cost behind one protocol; here tier 0, by rules alone.

Entry point: `understand.understand`.
"""
