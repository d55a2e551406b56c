"""What commands read: tables, rows with labels, model files."""
