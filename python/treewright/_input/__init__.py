"""From any container to columns: data frames, arrays, targets, weights, encoding, folds."""
