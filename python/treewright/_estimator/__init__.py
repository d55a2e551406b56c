"""What all estimators share: fit and predict, model metadata, ensembles, unwrapping of pipelines."""
