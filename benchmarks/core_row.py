"""Predicting one row with 100 trees of 31 leaves in the core alone, without Python: ``cargo bench`` measures it."""

import shutil
import subprocess
import sys
from pathlib import Path

from timing import OURS, report

if shutil.which("cargo") is None:
    print("left out: cargo not found")
    sys.exit()
ROOT = Path(__file__).parents[1]
COMMAND = ["cargo", "bench", "-q", "--locked", "-p", "treewright-core", "--bench", "one_row"]
process = subprocess.run(COMMAND, cwd=ROOT, check=True, capture_output=True, text=True)
report(
    "predict_core",
    "predict one row, 100 x 31 leaves, in the core",
    {OURS: [float(line) * 1e-9 for line in process.stdout.split()]},
    {OURS: 1e-6},
)
