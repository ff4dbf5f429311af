/*
 * A plugin of QEMU's that is called for each access to memory, counts them,
 * and says how many there were.
 *
 * The declarations that the plugin needs from qemu/qemu-plugin.h are repeated
 * here, so that the test needs no source of QEMU.
 */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

typedef uint64_t qemu_plugin_id_t;
typedef uint32_t qemu_plugin_meminfo_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;

enum { CB_NO_REGS = 0, MEM_RW = 3 };

void qemu_plugin_register_vcpu_tb_trans_cb(
    qemu_plugin_id_t id, void (*cb)(qemu_plugin_id_t, struct qemu_plugin_tb *));
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(
    const struct qemu_plugin_tb *tb, size_t index);
void qemu_plugin_register_vcpu_mem_cb(
    struct qemu_plugin_insn *insn,
    void (*cb)(unsigned, qemu_plugin_meminfo_t, uint64_t, void *),
    int flags, int rw, void *data);
void qemu_plugin_register_atexit_cb(
    qemu_plugin_id_t id, void (*cb)(qemu_plugin_id_t, void *), void *data);

#define EXPORT __attribute__((visibility("default")))

EXPORT int qemu_plugin_version = 4;

static uint64_t accesses;

static void accessed(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t addr,
                     void *data)
{
    accesses++;
}

static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
    for (size_t i = 0; i < qemu_plugin_tb_n_insns(tb); i++) {
        qemu_plugin_register_vcpu_mem_cb(qemu_plugin_tb_get_insn(tb, i),
                                         accessed, CB_NO_REGS, MEM_RW, NULL);
    }
}

static void ended(qemu_plugin_id_t id, void *data)
{
    fprintf(stderr, "accesses: %" PRIu64 "\n", accesses);
}

EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const void *info, int argc,
                               char **argv)
{
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    qemu_plugin_register_atexit_cb(id, ended, NULL);
    return 0;
}
