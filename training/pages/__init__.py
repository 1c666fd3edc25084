"""What was found, to read: pages as Markdown and HTML, and the plots on them."""
