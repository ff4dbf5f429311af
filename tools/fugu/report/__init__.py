"""What the report of the machine's end says of the guest's programs. QEMU runs it (hw/report/reporter.c).

    __main__    the conversation with QEMU
    processes   processes, their threads, and what they wait for
    stacks      the frames on a stack
    places      from an address to a function and line
    memory      a node's memory, and that of a process

GDB's commands (tools/gdb) read processes by the last three modules, too.

It reads what may be damaged: any word of the guest's memory can have any value.
So every loop has a bound, and what cannot be read is left out.
"""
