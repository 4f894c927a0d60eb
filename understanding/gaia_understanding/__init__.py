"""Understanding of mail: a message and its context in, a verdict with its reason out. No I/O, clock or ledger.

`prepare` reads what the sender wrote; `cascade` judges it.
"""
