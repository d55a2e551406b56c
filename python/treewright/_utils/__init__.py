"""Small tools that know nothing of trees: atomic writes, docstrings, rounding, validation of parameters."""
