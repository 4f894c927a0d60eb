"""Automations: a JSON definition saved by a user, run by schedule, event, webhook or by hand.

```
definition.py  what a user saves: inputs, triggers, plan, execution; schemas.py publishes the JSON Schemas
validating.py  every error of a definition, each with its JSON Pointer (RFC 6901)
filters.py     the events a trigger accepts; matching.py finds the few filters that an event could match
templates.py   the only module that uses Jinja2; rendering.py runs it in a process that can be killed
flows.py       data from mail, events or webhooks that reaches a recipient, URL, id or attendee
inputs.py      a run's inputs, from its trigger and defaults
actions.py     the actions a step can name, with their capabilities
server_tools.py tools of connected MCP servers as actions; task_tools.py the tools a model may call
agent_task.py  a language model that calls tools, step by step, until its output fits
dispatching.py from a trigger to a run: inputs, budget, idempotency, snapshot, queue
stepping.py    one step of a run: planned before its effect, checked after an unclear end
running.py     a whole run by its rows in the ledger; workflows.py does it in DBOS
triggers.py    clock, event log, and runs that wait for a user's answer
```
"""
