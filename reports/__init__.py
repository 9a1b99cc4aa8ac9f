"""Charts, tables, Markdown and HTML, made from what a run folder holds."""
