"""What all commands share: options, errors and exit codes, the console, output, progress."""
