"""Files that a crash cannot damage: atomic writes, sealed JSON, the codec of records, and locks."""
