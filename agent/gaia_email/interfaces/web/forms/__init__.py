"""Forms generated from JSON Schemas (2020-12), and JSON from their posted data. Entry: `form.WebForm`."""
