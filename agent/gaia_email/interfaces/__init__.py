"""Interfaces for people and programs: they parse, call and render. Nothing here makes decisions."""
