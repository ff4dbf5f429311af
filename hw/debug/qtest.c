/*
 * qtest commands of this machine: tests of the devices without processors
 *
 * QEMU's own qtest commands reach only the memory of the first processor, and
 * the host's clock. The commands here act as the processor of any node, and
 * advance the machine's time:
 *
 *   fugu advance CYCLES                OK TIME       run rounds and events
 *   fugu time NODE                     OK TIME       local time
 *   fugu irq NODE                      OK LEVELS     a bit for each level
 *   fugu op NODE OP A B [user]         OK RESULT
 *   fugu send NODE CONTEXT DEST HANDLER LENGTH ACK FIRST     OK RESULT
 *   fugu await NODE CONTEXT ACKS       OK RESULT
 *   fugu word NODE CONTEXT head|body CYCLES   OK RESULT VALUE
 *   fugu fault NODE CONTEXT TRAP       OK
 *   fugu waits NODE CONTEXT ack|space  OK 0|1        1: a SEND has to wait on
 *   fugu context NODE CONTEXT          OK            the processor is in it
 *   fugu read NODE SIZE ADDR [user]    OK RESULT VALUE
 *   fugu write NODE SIZE ADDR VALUE [user]   OK RESULT
 *   fugu mode NODE [user]              OK            set the processor's mode
 *   fugu idle NODE                     OK 0|1        1: the processor waits
 *   fugu state NODE                    OK STATE STATUS
 *   fugu stop                          OK 0|1 STATUS 1: the machine is to end
 *   fugu check                         OK            or OK NODE: CONDITION
 *   fugu balance                       OK            or OK CONDITION
 *
 * "check" tests the conditions that always hold of a network interface
 * (machine/netif.h). "balance" tests whether the accounts of all interfaces agree;
 * it must directly follow an "advance". Both answer with the first condition
 * that does not hold.
 *
 * OP is launch, dispose, beginatom or endatom. ADDR is physical, SIZE is in
 * bytes. RESULT is the effect of the instruction: 0 if it completes, the type
 * of its trap, or -1 if it has to wait. An instruction that has to wait is not
 * tried again.
 *
 * "send", "await", "word" and "fault" act as the processor's context CONTEXT, of a
 * kind with message slots. The body of what is sent are LENGTH numbers from FIRST
 * on. "word" is an instruction that ends now, after CYCLES, and whose operand is
 * MsgHead or MsgBody; if the word is there, it is taken. "context" is for operations,
 * loads and stores: they are those of that context, until an event ends its turn.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qemu/bswap.h"
#include "qemu/cutils.h"
#include "system/qtest.h"
#include "hw/fugu/machine/machine.h"
#include "hw/fugu/machine/netif.h"
#include "hw/fugu/node/node.h"
#include "hw/fugu/debug/qtest.h"
#include "hw/fugu/rounds/rounds.h"

static FuguMachineState *machine;

/* A command. The take_*() functions take its words one after the other. */
typedef struct Command {
    CharBackend *chr;
    char **next;                /* first word that is not taken */
    bool bad;                   /* a word is missing or wrong */
} Command;

/* ---- Words -------------------------------------------------------------- */

static const char *take_word(Command *c)
{
    if (!*c->next) {
        c->bad = true;
        return "";
    }
    return *c->next++;
}

static uint64_t take_number(Command *c)
{
    uint64_t value = 0;

    c->bad |= qemu_strtou64(take_word(c), NULL, 0, &value) != 0;
    return value;
}

static FuguNode *take_node(Command *c)
{
    uint64_t number = take_number(c);

    c->bad |= number >= machine->options.node_count;
    return c->bad ? NULL : machine->parts.nodes[number];
}

static SparcleOp take_op(Command *c)
{
    static const char *const names[] = {
        [SPARCLE_LAUNCH] = "launch",
        [SPARCLE_DISPOSE] = "dispose",
        [SPARCLE_BEGINATOM] = "beginatom",
        [SPARCLE_ENDATOM] = "endatom",
    };
    const char *word = take_word(c);

    for (SparcleOp op = SPARCLE_LAUNCH; op < ARRAY_SIZE(names); op++) {
        if (!strcmp(word, names[op])) {
            return op;
        }
    }
    c->bad = true;
    return 0;
}

static unsigned take_size(Command *c)
{
    uint64_t size = take_number(c);

    c->bad |= size != 1 && size != 2 && size != 4 && size != 8;
    return size;
}

static bool take_user(Command *c)
{
    bool user = *c->next && !strcmp(*c->next, "user");

    c->next += user;
    return user;
}

/*
 * Returns true if the command has all its words and no more. Caller must have
 * taken all words that the command may have.
 */
static bool complete(Command *c)
{
    c->bad |= *c->next != NULL;
    return !c->bad;
}

/* ---- Acting as the processor -------------------------------------------- */

/*
 * Makes a load or store as the node's processor would in user or supervisor
 * mode. Returns the RESULT described above.
 */
static int processor_access(FuguNode *node, bool user, hwaddr addr,
                            uint8_t *bytes, unsigned size, bool write)
{
    uint32_t psrs = node->cpu.env.psrs;
    const FuguNetifClass *kind = node->ni->kind;
    CPUState *before = current_cpu;
    MemTxResult ret;
    int result = 0;

    bool snooped = write && kind->is_snooped &&
                   kind->is_snooped(node->ni, addr);

    if (snooped && !kind->may_store(node->ni, addr, size)) {
        return SPARCLE_WAIT;
    }
    current_cpu = CPU(&node->cpu);
    node->cpu.env.psrs = !user;
    ret = address_space_rw(current_cpu->as, addr, MEMTXATTRS_UNSPECIFIED,
                           bytes, size, write);
    if (ret & SPARCLE_TX_RESOLVE) {
        result = node->ni->kind->resolve(node->ni, 0);
    } else if (ret != MEMTX_OK) {
        result = TT_DATA_ACCESS;
    }
    if (snooped) {
        kind->stored(node->ni, addr, bytes, size);
    }
    node->cpu.env.psrs = psrs;
    current_cpu = before;
    return result;
}

/* ---- Commands ----------------------------------------------------------- */

static void do_advance(Command *c)
{
    uint64_t cycles = take_number(c);

    if (complete(c)) {
        fugu_rounds_advance(machine->parts.rounds, cycles);
        qtest_sendf(c->chr, "OK %" PRId64 "\n", machine->time.round_start);
    }
}

static void do_time(Command *c)
{
    FuguNode *node = take_node(c);

    if (complete(c)) {
        qtest_sendf(c->chr, "OK %" PRId64 "\n", fugu_node_time(node));
    }
}

static void do_irq(Command *c)
{
    FuguNode *node = take_node(c);

    if (complete(c)) {
        qtest_sendf(c->chr, "OK 0x%x\n", node->interrupts);
    }
}

static void do_op(Command *c)
{
    FuguNode *node = take_node(c);
    SparcleOp op = take_op(c);
    uint32_t a = take_number(c);
    uint32_t b = take_number(c);
    bool user = take_user(c);

    if (complete(c)) {
        qtest_sendf(c->chr, "OK %d\n",
                    node->ni->kind->op(node->ni, op, a, b, user, 0));
    }
}

/* ---- Message slots -------------------------------------------------------- */

/* The number of a context, of a node that has them. */
static unsigned take_context(Command *c, const FuguNode *node)
{
    uint64_t context = take_number(c);

    c->bad |= !node || !node->contexts || context >= SPARCLE_CONTEXTS;
    return context;
}

/* The context @context executes an operation. Returns its result. */
static int context_op(FuguNode *node, unsigned context, SparcleOp op,
                      uint32_t a, uint32_t b)
{
    CPUSPARCState *env = &node->cpu.env;
    unsigned before = sparcle_context(env);
    int result;

    sparcle_switch(env, context);
    result = node->ni->kind->op(node->ni, op, a, b, true, 0);
    sparcle_switch(env, before);
    return result;
}

/* Sets the registers of the context that have the body of what it sends. */
static void set_body(FuguNode *node, unsigned context, unsigned length,
                     uint32_t first)
{
    CPUSPARCState *env = &node->cpu.env;
    unsigned before = sparcle_context(env);

    sparcle_switch(env, context);
    for (unsigned i = 0; i < MIN(length, 10); i++) {
        env->regwptr[8 + i] = first + i;        /* %l0 and on */
    }
    sparcle_switch(env, before);
}

static void do_send(Command *c)
{
    FuguNode *node = take_node(c);
    unsigned context = take_context(c, node);
    uint32_t dest = take_number(c);
    uint32_t handler = take_number(c);
    uint32_t length = take_number(c);
    uint32_t ack = take_number(c);
    uint32_t first = take_number(c);

    c->bad |= length > 15 || ack > 15;
    if (complete(c)) {
        set_body(node, context, length, first);
        node->cpu.env.sparcle_send = (SparcleSend) {
            .length = length,
            .ack = ack,
        };
        qtest_sendf(c->chr, "OK %d\n",
                    context_op(node, context, SPARCLE_SEND, dest, handler));
    }
}

static void do_await(Command *c)
{
    FuguNode *node = take_node(c);
    unsigned context = take_context(c, node);
    uint32_t acks = take_number(c);

    if (complete(c)) {
        qtest_sendf(c->chr, "OK %d\n",
                    context_op(node, context, SPARCLE_AWAIT, acks, 0));
    }
}

static void do_word(Command *c)
{
    FuguNode *node = take_node(c);
    unsigned context = take_context(c, node);
    bool head = !strcmp(take_word(c), "head");
    unsigned cycles = take_number(c);
    uint32_t word = 0;
    int result;

    c->bad |= context == 0;
    if (complete(c)) {
        result = node->ni->kind->word(node->ni, context, head, cycles,
                                      &word);
        if (result == 0) {
            node->ni->kind->taken(node->ni, context, head);
        }
        qtest_sendf(c->chr, "OK %d 0x%x\n", result, result ? 0 : word);
    }
}

static void do_fault(Command *c)
{
    FuguNode *node = take_node(c);
    unsigned context = take_context(c, node);
    int tt = take_number(c);

    c->bad |= context == 0;
    if (complete(c)) {
        node->ni->kind->fault(node->ni, context, tt);
        qtest_sendf(c->chr, "OK\n");
    }
}

static void do_waits(Command *c)
{
    FuguNode *node = take_node(c);
    unsigned context = take_context(c, node);
    FuguWait why = !strcmp(take_word(c), "ack") ? FUGU_WAIT_ACK
                                                 : FUGU_WAIT_SPACE;

    if (complete(c)) {
        qtest_sendf(c->chr, "OK %d\n",
                    node->ni->kind->waits(node->ni, context, why));
    }
}

static void do_context(Command *c)
{
    FuguNode *node = take_node(c);
    unsigned context = take_context(c, node);

    if (complete(c)) {
        sparcle_switch(&node->cpu.env, context);
        qtest_sendf(c->chr, "OK\n");
    }
}

static void do_read(Command *c)
{
    FuguNode *node = take_node(c);
    unsigned size = take_size(c);
    uint64_t addr = take_number(c);
    bool user = take_user(c);
    uint8_t bytes[8] = { 0 };

    if (complete(c)) {
        int result = processor_access(node, user, addr, bytes, size, false);

        qtest_sendf(c->chr, "OK %d 0x%" PRIx64 "\n", result,
                    ldn_be_p(bytes, size));
    }
}

static void do_write(Command *c)
{
    FuguNode *node = take_node(c);
    unsigned size = take_size(c);
    uint64_t addr = take_number(c);
    uint64_t value = take_number(c);
    bool user = take_user(c);
    uint8_t bytes[8];

    if (complete(c)) {
        stn_be_p(bytes, size, value);
        qtest_sendf(c->chr, "OK %d\n",
                    processor_access(node, user, addr, bytes, size, true));
    }
}

static void do_mode(Command *c)
{
    FuguNode *node = take_node(c);
    bool user = take_user(c);

    if (complete(c)) {
        node->ni->kind->mode(node->ni, user);
        qtest_sendf(c->chr, "OK\n");
    }
}

static void do_idle(Command *c)
{
    FuguNode *node = take_node(c);

    if (complete(c)) {
        const SparcleNode *sparcle = &node->cpu.env.sparcle;

        bool waits = sparcle->ops->idle(sparcle->node);

        if (waits) {
            fugu_node_yielded(node);
        }
        qtest_sendf(c->chr, "OK %d\n", waits);
    }
}

static void do_state(Command *c)
{
    FuguNode *node = take_node(c);

    if (complete(c)) {
        qtest_sendf(c->chr, "OK %d %u\n", node->state, node->status);
    }
}

static void do_stop(Command *c)
{
    if (complete(c)) {
        qtest_sendf(c->chr, "OK %d %u\n", machine->time.stopping,
                    machine->time.stop_status);
    }
}

static void do_check(Command *c)
{
    if (!complete(c)) {
        return;
    }
    for (uint32_t i = machine->parts.first; i < machine->parts.end; i++) {
        FuguNetif *ni = machine->parts.nodes[i]->ni;
        const char *broken = ni->kind->check(ni);

        if (broken) {
            qtest_sendf(c->chr, "OK %u: %s\n", i, broken);
            return;
        }
    }
    qtest_sendf(c->chr, "OK\n");
}

static void do_balance(Command *c)
{
    if (complete(c)) {
        const FuguNetifClass *kind = fugu_netif_kind(machine);
        const char *broken = kind->check_balance(machine);

        qtest_sendf(c->chr, "OK %s\n", broken ?: "");
    }
}

static const struct {
    const char *name;
    void (*execute)(Command *c);
    const char *usage;
} commands[] = {
    { "advance", do_advance, "CYCLES" },
    { "time", do_time, "NODE" },
    { "irq", do_irq, "NODE" },
    { "op", do_op, "NODE launch|dispose|beginatom|endatom A B [user]" },
    { "send", do_send, "NODE CONTEXT DEST HANDLER LENGTH ACK FIRST" },
    { "await", do_await, "NODE CONTEXT ACKS" },
    { "word", do_word, "NODE CONTEXT head|body" },
    { "fault", do_fault, "NODE CONTEXT TRAP" },
    { "waits", do_waits, "NODE CONTEXT ack|space" },
    { "context", do_context, "NODE CONTEXT" },
    { "read", do_read, "NODE 1|2|4|8 ADDR [user]" },
    { "write", do_write, "NODE 1|2|4|8 ADDR VALUE [user]" },
    { "mode", do_mode, "NODE [user]" },
    { "idle", do_idle, "NODE" },
    { "state", do_state, "NODE" },
    { "stop", do_stop, "" },
    { "check", do_check, "" },
    { "balance", do_balance, "" },
};

static bool command_cb(CharBackend *chr, gchar **words)
{
    Command c = { .chr = chr, .next = words };

    if (strcmp(take_word(&c), "fugu")) {
        return false;
    }
    for (size_t i = 0; words[1] && i < ARRAY_SIZE(commands); i++) {
        if (!strcmp(words[1], commands[i].name)) {
            take_word(&c);
            commands[i].execute(&c);
            if (c.bad) {
                qtest_sendf(chr, "FAIL expected: fugu %s %s (of %u nodes)\n",
                            commands[i].name, commands[i].usage,
                            machine->options.node_count);
            }
            return true;
        }
    }
    qtest_sendf(chr, "FAIL Unknown command 'fugu %s'\n", words[1] ?: "");
    return true;
}

void fugu_qtest_init(FuguMachineState *m)
{
    if (qtest_enabled()) {
        machine = m;
        qtest_set_command_cb(command_cb);
    }
}
