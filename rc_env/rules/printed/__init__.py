"""What is printed: data files, read and checked; vocabularies; RULES, the numbers as the compiled rules read them."""
