"""Language models of this machine: found, guarded, asked. Nothing here is imported unless the user switched one on."""
