"""Evaluation: comparison of algorithms, complexity curves, scores, feature importances.

Nothing is imported here: the command line lists the measures of ``scores`` without loading numpy.
"""
