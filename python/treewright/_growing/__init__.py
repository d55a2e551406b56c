"""Growing a tree by hand: `Growing` takes one step after another, `rows_of` lists the rows of a node."""
