"""Models of other libraries as fitted estimators of this package: scikit-learn, LightGBM, XGBoost, ONNX.

The trees are copied, nothing is trained: the result predicts what the original predicts. Views, explanations, exports,
files and reports then serve it like any other model.

Not here: the way back, which is ``_export``.
"""
