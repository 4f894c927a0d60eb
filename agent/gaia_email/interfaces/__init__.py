"""Ways in and out for people and programs: parse, call, render. Nothing here decides."""
