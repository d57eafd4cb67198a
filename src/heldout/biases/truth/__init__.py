"""How near every protocol and estimator comes to what users would say of all items."""
