"""Where the scripts of datasets/ are, so that tests can import them."""

import pathlib
import sys

DATASETS = pathlib.Path(__file__).resolve().parents[2] / "datasets"
sys.path.insert(0, str(DATASETS))
