"""This host, as set-up needs it.

    packages        installs missing packages
    on_demand       commands that are installed when first needed
    capacity        cores, memory, room on the disk
    children        starts the launcher's child processes, which end with it
    processor       processor time of processes, and of what they start
    scratch         temporary folders, of which none stays
    execute         runs commands: output to a log, failures as messages
    storage         the cache, stamps, whole files, keys of contents
    lock            one set-up at a time
    progress        shows steps
    python_tools    Python packages in virtual environments
    node_packages   packages of npm, by checksum
"""
