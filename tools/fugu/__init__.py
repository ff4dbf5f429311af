"""The launcher behind run.sh: set-up, build, boot, test, bench."""

VERSION = "0.1"
