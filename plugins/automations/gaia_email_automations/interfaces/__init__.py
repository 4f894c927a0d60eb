"""The plug-in's command, chat, MCP tool, pages and HTTP endpoints."""
