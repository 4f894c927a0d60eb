"""The learned model: what it sees, its weights, and how its opinion joins the rules."""
