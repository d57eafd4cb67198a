"""Runs judged in pieces: Parquet files of any size, shards of users, per-user scores on disk, read block by block."""
