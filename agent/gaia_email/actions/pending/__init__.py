"""The Agent Inbox: items that wait for the user, and their answers. Entry point: `inbox.AgentInbox`.

```
notify    the agent did something noteworthy         seen
question  the agent is unsure, or asks at L2         approve, edit, reject
review    prepared at L3 for the user's review       approve, edit, reject
```
Items are rows of the ledger, so they survive every program and are the same in every interface. Each is answered
once, by one transaction that also plans the resulting actions; these go through the gate and `actions`.
"""
