"""What a fitted model is made of: nodes, trees, decisions, paths, value ranges."""
