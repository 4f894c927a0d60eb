"""From a prepared message to a verdict, by tiers of rising cost behind one protocol; here tier 0, by rules alone.

Entry point: `understand.understand`.
"""
