"""Policy: what the agent may do with a message, from its cohort, autonomy level and the user's switches.

Everything but `gate.py` is pure: no input or output, no clock, no ledger. `document.Policy` holds the user's
decisions, `decide.decide` applies them to one message, and `explain.sentences` gives the reasons.
"""
