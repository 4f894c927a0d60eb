"""The agent over HTTP: who may ask for what, and what a request may cost. Entry: `guard.guarded`.

```
guard.py        one ASGI middleware over all routes: bounds, then who asks, then rates, then errors as JSON
bounds.py       which hosts, origins, paths, headers and bodies are taken
credentials.py  who asks: a program with the API token, a person's session, an API key
sessions.py     a person's session: a code, a cookie and a page key
opening.py      how a person comes to one
rates.py        how often
announcing.py   how programs of this user find the server
listening.py    the address and uvicorn
connection.py   one connection of it
refusal.py      a refusal, and the one shape that all errors have (error_handlers.py: for Starlette)
connections.py  logins that hosts forward
grammars.py     what the OpenAPI document says of inputs beyond their types
```
"""
