"""
A model on a small device: C
============================

Which cultivar is this wine from? A tree of 13 measurements becomes a C function without memory allocation or libraries,
which is compiled here and compared with Python on every row.
"""

import ctypes
import subprocess
from pathlib import Path
from shutil import which
from tempfile import mkdtemp

import numpy as np
from sklearn.datasets import load_wine

from treewright import C45Classifier, export, show

data = load_wine(as_frame=True)
X, y = data.data, data.target
model = C45Classifier().fit(X, y)
picture = show(model)

# %%
# The C code:
code = export(model, "c")
print(*code.splitlines()[:24], "...", sep="\n")

# %%
# Compiled, and called for every row:
if compiler := which("cc"):
    folder = Path(mkdtemp())
    (folder / "wine.c").write_text(code)
    subprocess.run(
        [compiler, "-O2", "-shared", "-fPIC", "-o", folder / "wine.so", folder / "wine.c", "-lm"],
        check=True,
    )
    predict = ctypes.CDLL(str(folder / "wine.so")).treewright_predict
    predict.argtypes = [ctypes.POINTER(ctypes.c_double)]
    rows = np.ascontiguousarray(X.to_numpy(float))
    answers = [predict(row.ctypes.data_as(ctypes.POINTER(ctypes.c_double))) for row in rows]
    print((model.classes_[answers] == model.predict(X)).all(), len(answers))
