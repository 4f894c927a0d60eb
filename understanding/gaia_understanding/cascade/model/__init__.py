"""The learned model: its features, its weights, and how its opinion joins the rules."""
