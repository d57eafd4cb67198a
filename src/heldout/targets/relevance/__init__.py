"""Which test ratings count as relevant."""
