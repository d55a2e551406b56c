"""``lesson``: a small table and a tree as a lesson in twelve screens, as data, text and page."""
