"""Card layouts for documents; one module per part of the product."""
