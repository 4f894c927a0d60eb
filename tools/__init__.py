"""What maintains the repository; not shipped."""
