"""Forms made from JSON Schemas (2020-12), and JSON made from what is posted. Entry: `form.WebForm`."""
