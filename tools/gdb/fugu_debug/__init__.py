"""GDB's side of ./run.sh debug, in parts; ../fugu.py makes the commands of it."""
