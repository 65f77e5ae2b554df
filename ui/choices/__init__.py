"""What a visitor chooses: one class per kind of value, which asks for it, keeps it and reads it.

A choice has one name, which is the key of its widget and its parameter in the link. Streamlit
cannot leave a page by a button while one of its widgets is bound to the URL, so widgets here read
the link when they first appear, and write it on each run.
"""
