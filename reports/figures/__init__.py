"""The kinds of charts, one module each, and the parts they share."""
