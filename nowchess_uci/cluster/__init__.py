"""Units of work on other machines, by dask.distributed, which is an optional dependency and imported when needed."""
