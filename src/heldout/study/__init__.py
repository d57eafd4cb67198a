"""What is asked (spec), how it is worked out (plan, run) and where it is kept (ledger)."""
