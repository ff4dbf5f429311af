/*
 * The script of console input that "-global fugu-console.script=FILE" names
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qemu/ctype.h"
#include "qemu/cutils.h"
#include "hw/fugu/devices/script.h"

#define TRACED "fugu_console_input "

static void script_add(GArray *script, int64_t time, const char *bytes,
                       size_t count)
{
    for (size_t i = 0; i < count; i++) {
        FuguConsoleByte b = { time, bytes[i] };

        g_array_append_val(script, b);
    }
}

/*
 * Reads a line of the script: NODE TIME BYTE, or NODE TIME "TEXT" with the
 * escapes of C. The name of the trace event may precede the line. One script
 * is for all nodes, so lines for nodes other than @wanted are skipped. Returns
 * NULL, or what is wrong with the line.
 */
static const char *script_line(GArray *script, unsigned wanted, char *line)
{
    unsigned node, byte;
    int64_t time;
    const char *p = g_strstrip(line);
    size_t len;

    if (*p == '\0' || *p == '#') {
        return NULL;
    }
    if (g_str_has_prefix(p, TRACED)) {
        p += strlen(TRACED);
    }
    if (qemu_strtoui(p, &p, 0, &node) || qemu_strtoi64(p, &p, 0, &time) ||
        time < 0 || !qemu_isspace(*p)) {
        return "expected NODE TIME BYTE or NODE TIME \"TEXT\"";
    }
    if (node != wanted) {
        return NULL;
    }
    if (script->len &&
        g_array_index(script, FuguConsoleByte, script->len - 1).time > time) {
        return "times of a node must not decrease";
    }
    while (qemu_isspace(*p)) {
        p++;
    }
    len = strlen(p);
    if (len >= 2 && p[0] == '"' && p[len - 1] == '"') {
        g_autofree char *quoted = g_strndup(p + 1, len - 2);
        g_autofree char *text = g_strcompress(quoted);

        script_add(script, time, text, strlen(text));
    } else if (qemu_strtoui(p, NULL, 0, &byte) == 0 && byte <= 0xff) {
        script_add(script, time, &(char) { byte }, 1);
    } else {
        return "expected a byte, 0 to 255, or \"TEXT\"";
    }
    return NULL;
}

bool fugu_console_script_read(GArray *script, const char *file, unsigned node,
                              Error **errp)
{
    g_autofree char *text = NULL;
    g_autoptr(GError) error = NULL;
    g_auto(GStrv) lines = NULL;

    if (!g_file_get_contents(file, &text, NULL, &error)) {
        error_setg(errp, "console script: %s", error->message);
        return false;
    }
    lines = g_strsplit(text, "\n", 0);
    for (unsigned i = 0; lines[i]; i++) {
        const char *wrong = script_line(script, node, lines[i]);

        if (wrong) {
            error_setg(errp, "console script %s, line %u: %s", file, i + 1,
                       wrong);
            return false;
        }
    }
    if (script->len > FUGU_CONSOLE_SCRIPT_MAX) {
        error_setg(errp, "console script %s: more than %d bytes for node %u",
                   file, FUGU_CONSOLE_SCRIPT_MAX, node);
        return false;
    }
    return true;
}
