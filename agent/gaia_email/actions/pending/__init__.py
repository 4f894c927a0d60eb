"""The Agent Inbox: what waits for the user, and what becomes of the answer. Entry point: `inbox.AgentInbox`.

```
notify    something noteworthy was done by itself    seen
question  the agent is unsure, or asks at L2         approve, edit, reject
review    prepared at L3 for the morning             approve, edit, reject
```
An item is a row of the ledger, so it outlives every program and is the same in every interface. It is answered once, by
one transaction that also plans what the answer means; what is planned goes through the gate and `actions`.
"""
