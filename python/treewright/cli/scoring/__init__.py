"""How good a model is: hold-out, cross-validation, predictions and their scores."""
