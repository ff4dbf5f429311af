/*
 * How processes and jobs end.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "buffer/buffer.h"
#include "machine/pending.h"
#include "machine/directory.h"
#include "machine/kind.h"
#include "buffer/end.h"
#include "machine/message.h"
#include "machine/ni.h"
#include "machine/print.h"
#include "buffer/backing.h"

uint32_t messages_dropped;

static void tell_node_0(enum operation operation, uint32_t gid,
                        uint32_t status)
{
    uint32_t words[] = { gid, status };

    message_send(0, operation, words, 2);
}

void job_tell_ended(const struct process *p, uint32_t status)
{
    tell_node_0(OPERATION_ENDED, p->gid, status);
}

void job_exit(struct process *p, uint32_t status)
{
    if (!process_has_ended(p)) {
        process_doom(p);
        p->status = status;
        if (!p->shrimp) {       /* otherwise when its mappings have ended */
            job_tell_ended(p, status);
        }
    }
}

static void job_end(struct process *p, uint32_t status)
{
    tell_node_0(OPERATION_END_ALL, p->gid, status);
    job_exit(p, status);
}

static void print_end(struct process *p, const char *cause)
{
    print("glaze: %s (job %u) on node %u is ended: %s", p->program->name,
          (unsigned)p->gid, (unsigned)ni_node(), cause);
}

static void print_place(struct process *p, uint32_t pc)
{
    print("; pc 0x%08x", (unsigned)pc);
    directory_print_place(p->program, pc);
}

void job_fault(struct process *p, const char *cause)
{
    if (!process_has_ended(p)) {
        print_end(p, cause);
        print_place(p, p->registers.pc);
        print("\n");
        job_end(p, STATUS_FAULT);
    }
}

/*
 * Copies the words of the current process's next message. Returns their
 * number; 0 if there is no message, or if it is in backing store.
 */
static uint32_t next_message(uint32_t words[FUGU_MSG_WORDS])
{
    if (current->info->mode == GLAZE_BUFFERED) {
        return buffer_head_words(current, words);
    }
    if (!pending_is_mine()) {
        return 0;
    }
    for (uint32_t k = 0; k < ni_head_length(); k++) {
        words[k] = ni_head_word(k);
    }
    return ni_head_length();
}

static void print_message(struct process *p, const uint32_t *words,
                          uint32_t length)
{
    const struct image_function *f = directory_function(p->program, words[1]);

    print("; the message: handler 0x%08x", (unsigned)words[1]);
    if (f) {
        print(" in %s", (const char *)(p->program->strings + f->name));
    }
    print(", from node %u,%s words", (unsigned)(words[0] & FUGU_HDR_NODE_MASK),
          length > 2 ? "" : " no");
    for (uint32_t k = 2; k < length; k++) {
        print(" 0x%08x", (unsigned)words[k]);
    }
}

void job_dispose_failure(const char *how)
{
    uint32_t words[FUGU_MSG_WORDS], length;

    if (!process_has_ended(current)) {
        print_end(current, "dispose-failure: ");
        print("%s", how);
        print_place(current, current->registers.pc);
        length = next_message(words);
        if (length >= 2) {
            print_message(current, words, length);
        }
        print("\n");
        job_end(current, STATUS_FAULT);
    }
}

void job_fault_at(struct process *p, const char *cause, uint32_t address)
{
    if (!process_has_ended(p)) {
        print_end(p, cause);
        print(", address 0x%08x", (unsigned)address);
        print_place(p, p->registers.pc);
        print("\n");
        job_end(p, STATUS_FAULT);
    }
}

__attribute__((cold)) void job_handler_fault(struct process *p, const char *cause,
                                             const uint32_t *address, uint32_t pc)
{
    if (!process_has_ended(p)) {
        print_end(p, cause);
        if (address) {
            print(", address 0x%08x", (unsigned)*address);
        }
        print(", in a message's handler");
        print_place(p, pc);
        print("\n");
        job_end(p, STATUS_FAULT);
    }
}

void job_abort(struct process *p, uint32_t status, const char *text,
               uint32_t pc)
{
    if (!process_has_ended(p)) {
        print_end(p, text);
        if (pc) {
            print_place(p, pc);
        }
        print("\n");
        job_end(p, status);
    }
}

void job_cancel(struct process *p, uint32_t node, uint32_t task)
{
    if (!process_has_ended(p)) {
        print_end(p, "cancelled");
        print(" by task %u of node %u, to which it had sent a first message\n",
              (unsigned)task, (unsigned)node);
        job_end(p, STATUS_CANCELLED);
    }
}

void job_overflow(struct process *p)
{
    if (!process_has_ended(p)) {
        print_end(p, buffer_is_full(p) ? "its message buffer is full" :
                     "the node has no memory left for it");
        print("%s: %u pages", buffer_is_full(p) ? "" : backing_trouble(),
              (unsigned)(p->pages + p->pages_out));
        if (kind->messages) {
            print(", %u of them for %u messages in its buffer",
                  (unsigned)(p->buffer_pages + p->buffer_pages_out),
                  (unsigned)buffer_messages(p));
        }
        print("%s\n",
              buffer_is_full(p) ? "" : " (--ram gives each node more memory)");
        job_end(p, STATUS_OVERFLOW);
    }
}

void job_wrong_gid(uint32_t gid, uint32_t source)
{
    print("glaze: node %u: a message of node %u has GID %u, which no job "
          "has\n", (unsigned)ni_node(), (unsigned)source, (unsigned)gid);
}

void job_count_dropped(void)
{
    messages_dropped++;
}
