"""What kind of mail it is, and who or what sent it."""
