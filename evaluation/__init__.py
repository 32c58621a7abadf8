"""Playing agents against each other and saying honestly what the results show."""
