"""Ensembles of trees: bagging, random forests, extra trees, AdaBoost."""
