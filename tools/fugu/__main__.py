"""Entry of the launcher: `python3 tools/fugu ...`."""

import os
import sys

# Run as a directory, Python puts the directory itself on the path; the
# package is found from the one above.
sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

from fugu.cli import main  # noqa: E402

sys.exit(main(sys.argv[1:]))
