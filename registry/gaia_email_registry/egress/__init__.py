"""The egress ledger: a row for every connection our programs open, so that users can see what left."""
