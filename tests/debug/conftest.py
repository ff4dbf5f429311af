"""Fixtures of sessions of ./run.sh debug."""

