/*
 * A plugin of QEMU's that writes down which code of the guest a run reaches:
 * each block when it is translated, which is just before it runs for the first
 * time. That costs nothing while the guest runs.
 *
 *   -plugin executed.so,out=FILE
 *
 * A record of FILE is the block's virtual address and its number of bytes, each
 * a word of the host's, and then these bytes. A block comes again when QEMU
 * translates it again.
 *
 * The declarations that the plugin needs from qemu/qemu-plugin.h are repeated
 * here, so that it needs no source of QEMU.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

typedef uint64_t qemu_plugin_id_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;

void qemu_plugin_register_vcpu_tb_trans_cb(
    qemu_plugin_id_t id, void (*cb)(qemu_plugin_id_t, struct qemu_plugin_tb *));
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(
    const struct qemu_plugin_tb *tb, size_t index);
size_t qemu_plugin_insn_data(const struct qemu_plugin_insn *insn, void *dest,
                             size_t length);

#define EXPORT __attribute__((visibility("default")))

enum { INSNS_MAX = 4096, WORD = 4 };

EXPORT int qemu_plugin_version = 4;

static int out = -1;

static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
    static uint32_t record[2 + INSNS_MAX];
    size_t count = qemu_plugin_tb_n_insns(tb);

    if (count > INSNS_MAX) {
        count = INSNS_MAX;
    }
    record[0] = qemu_plugin_tb_vaddr(tb);
    record[1] = count * WORD;
    for (size_t i = 0; i < count; i++) {
        qemu_plugin_insn_data(qemu_plugin_tb_get_insn(tb, i), &record[2 + i],
                              WORD);
    }
    /* One call for each record: a run that is killed leaves whole records. */
    if (write(out, record, (2 + count) * WORD) < 0) {
        out = -1;
    }
}

EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const void *info, int argc,
                               char **argv)
{
    if (argc == 1 && strncmp(argv[0], "out=", 4) == 0) {
        out = open(argv[0] + 4, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    }
    if (out < 0) {
        return 1;
    }
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    return 0;
}
