"""One search grammar (Gmail's) for every server: parsed once, matched locally or compiled by a provider.

Entry points: `grammar.parse_query`, `match.matches`.
"""
