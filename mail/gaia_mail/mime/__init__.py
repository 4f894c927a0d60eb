"""MIME: read any message into a `ParsedMessage` (never raises), compose a correct one.

Entry points: `read.parse_message`, `read.scan_headers`, `compose.compose_message`.
"""
