"""Find, guard and ask language models on this machine; nothing here is imported unless the user switched one on."""
