"""Gmail's search grammar for every server: parsed once, then matched locally or compiled by a provider.

Entry points: `grammar.parse_query`, `match.matches`.
"""
