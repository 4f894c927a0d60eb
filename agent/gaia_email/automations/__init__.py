"""Automations: a JSON definition, saved by a person, run by clock, event, webhook or hand.

```
definition.py  what a person saves: inputs, triggers, plan, execution; schemas.py publishes the JSON Schemas
validating.py  every error of a definition, each at its JSON Pointer (RFC 6901)
filters.py     which events a trigger takes; matching.py finds the few filters that an event could match
templates.py   the only file that knows Jinja2; rendering.py runs it in a process that can be ended
flows.py       what comes from mail, an event or a webhook into a recipient, URL, id or attendee
inputs.py      what a run is given, from its trigger and defaults
actions.py     the table of what a step can do, by name, and what it uses
server_tools.py tools of connected MCP servers as actions; task_tools.py which of all a model may call
agent_task.py  a language model that calls these, step by step, until its output fits
dispatching.py from a trigger to a run: inputs, budget, idempotency, snapshot, queue
stepping.py    one step of a run: planned before its effect, looked for after an unclear end
running.py     the whole run by its rows in the ledger; workflows.py is the same for DBOS
triggers.py    clock, event log, and what waits for a person's answer
```
"""
