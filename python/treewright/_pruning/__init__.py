"""Pruning: a fitted model in, a smaller one out, with a record of every decision.

``pessimistic``, ``reduced_error``, ``cost_complexity`` and ``manual`` are the ways to prune. ``prune_model`` and
``methods`` apply them to fitted models, ``during_fit`` and ``pruning_plan`` inside a fit. ``cross_validation`` grows
trees without some rows, ``trace`` holds the decisions, and ``pruning_rows`` reads rows for a model.
"""
