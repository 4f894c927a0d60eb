"""What may be done with a message, by whom, and who has to be asked first. Entry points: `decide`, `gate`."""
