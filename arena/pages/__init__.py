"""Results as pages in Markdown and HTML, with their plots."""
