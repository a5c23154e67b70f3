"""The UCI protocol: `parse` turns text into values, `render` values into text, `loop` owns the streams."""
