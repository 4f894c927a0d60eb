"""What the agent may do with a message: cohorts, levels, switches, and the one decision made of them.

Pure but for `gate.py`: no input or output, no clock, no ledger. `document.Policy` is what the user decides,
`decide.decide` what follows from it for one message, `explain.sentences` says why.
"""
