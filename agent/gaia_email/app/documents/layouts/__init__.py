"""What cards of documents say, as layouts; each module has those of one part of the product."""
