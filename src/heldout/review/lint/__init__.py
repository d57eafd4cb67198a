"""The methodological review of a study: one file per rule, each with a code and a page of explanation."""
