"""The egress ledger: a row for every connection a program of ours opens, so that its user can see what left."""
