"""A fit whose rows lie in several processes: engine-neutral parts of ``treewright.dask``."""
