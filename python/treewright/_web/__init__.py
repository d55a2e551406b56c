"""Pages that open in a browser from one file: the workbench, lessons and reports."""
