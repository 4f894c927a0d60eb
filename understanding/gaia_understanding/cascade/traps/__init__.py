"""Signs of fraud, spam and text addressed to machines."""
