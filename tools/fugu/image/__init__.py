"""What QEMU boots.

    elf             reads ELF files, writes the one that holds a boot image
    mangled         the names of C++ as their source has them
    notes           which kinds of network interface a program needs
    handlers        certifies the trusted handlers of the M-Machine's messages
    line_table      the line table of a program
    boot_image      lays out kernel, programs, input files and symbols
    store           keeps boot images in the build directory
"""
