"""MIME: parses any message into a `ParsedMessage` (never raises), and composes correct messages.

Entry points: `read.parse_message`, `read.scan_headers`, `compose.compose_message`.
"""
