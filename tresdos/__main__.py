"""``python -m tresdos``."""

from tresdos.cli import main

main()
