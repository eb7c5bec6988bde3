"""Games by the million: shared out to cores and clusters, summed up, compared, measured."""
