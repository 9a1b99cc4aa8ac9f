"""What all tests stand on."""

import signal

# Whoever starts the tests in the background may have told them to ignore Ctrl-C, and every process they start would do the same; some
# tests send Ctrl-C and expect it to be heard.
signal.signal(signal.SIGINT, signal.default_int_handler)
