"""The agent over HTTP: authorization, and limits on each request. Entry: `guard.guard_app`.

```
guard.py        one ASGI middleware over all routes: bounds, then credentials, then rates, then errors as JSON
bounds.py       accepted hosts, origins, paths, headers and bodies
credentials.py  callers: a program with the API token, a person's session, an API key
sessions.py     a person's session: a code, a cookie and a page key
opening.py      starting a person's session
rates.py        rate limits
announcing.py   how programs of this user find the server
listening.py    the address and uvicorn
connection.py   one connection of the server
refusal.py      a refusal, and the common shape of all errors (error_handlers.py: for Starlette)
connections.py  logins that hosts forward
grammars.py     rules of the OpenAPI document for inputs, beyond their types
```
"""
