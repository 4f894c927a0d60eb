"""What the product can do, each written once: the table from which interfaces make their commands, tools and routes."""
