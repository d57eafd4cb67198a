"""What every report says beside a metric."""
