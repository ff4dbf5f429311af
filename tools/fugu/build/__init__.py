"""Set-up: builds what is missing, each part once for the same contents.

    bring_up        all steps, in order, under the cache's lock
    everything      parts that commands need, brought up to date
    fingerprint     whether what was built is still up to date, in milliseconds
    settings        the user's own parts: a QEMU source, a toolchain
    apt             Debian's packages: sources, and binaries of other hosts
    sources         the fetched sources of QEMU and the toolchain
    patches         the patch series on QEMU's source
    tree            keeps files of QEMU's tree equal to ours
    qemu            QEMU, qtests, QEMU for fuzzing and for ARM hosts
    relink          QEMU with some of hw/ compiled anew, in seconds
    copies          copies of the checkout, in which sources may be changed
    fuzzers         all programs for fuzzing
    arm64           QEMU for 64-bit ARM hosts, for tests on other hosts
    from_source     what set-up builds from source into a folder of its own
    toolchain       binutils, GCC and newlib for sparc-elf
    cplusplus       GCC's C++ compiler and library, when a command first needs them
    guest           guest programs and unit tests
"""
