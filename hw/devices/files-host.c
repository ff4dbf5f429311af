/*
 * The way of a node's files to the host (see files-host.h)
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include <glib/gstdio.h>
#include "qapi/error.h"
#include "qemu/error-report.h"
#include "hw/fugu/devices/files-host.h"
#include "hw/fugu/devices/files.h"
#include "hw/fugu/machine/machine.h"

#define LOST_MAX        8       /* messages about files that are not written */

/* Makes the folders of a file. A symbolic link does not count as a folder, since it
 * may lead outside. */
static bool make_folders(const char *directory, const char *name, Error **errp)
{
    for (const char *end = strchr(name, '/'); end; end = strchr(end + 1, '/')) {
        g_autofree char *part = g_strndup(name, end - name);
        g_autofree char *path = g_build_filename(directory, part, NULL);
        GStatBuf info;

        if (g_mkdir(path, 0777) && errno != EEXIST) {
            error_setg_errno(errp, errno, "the folder %s for the program's "
                             "files cannot be made", path);
            return false;
        }
        if (g_lstat(path, &info) || !S_ISDIR(info.st_mode)) {
            error_setg(errp, "%s is no folder, so the program's file %s cannot "
                       "be written", path, name);
            return false;
        }
    }
    return true;
}

static bool write_one(const char *directory, const FuguFile *file,
                      Error **errp)
{
    g_autofree char *path = g_build_filename(directory, file->name, NULL);
    g_autoptr(GError) error = NULL;

    if (!make_folders(directory, file->name, errp)) {
        return false;
    }
    /* Replaces a symbolic link, instead of writing where it leads. */
    if (!g_file_set_contents(path, (char *)file->data->data ?: "",
                             file->data->len, &error)) {
        error_setg(errp, "the program's file cannot be written: %s",
                   error->message);
        return false;
    }
    return true;
}

static char *directory_of(FuguFiles *s)
{
    g_autofree char *own = g_strdup_printf("node%u", s->node->number);

    return g_build_filename(s->node->machine->options.output,
                            s->node->number ? own : NULL, NULL);
}

/* Prints why a file was not written, unless it has printed enough of that. The
 * program chose the file's name: bytes that a terminal obeys are left out. */
static void tell(Error *err, unsigned told)
{
    g_autofree char *text = g_strdup(error_get_pretty(err));

    for (char *p = text; *p; p++) {
        *p = g_ascii_iscntrl(*p) ? '?' : *p;
    }
    if (told < LOST_MAX) {
        error_printf("fugu: %s\n", text);
    }
    error_free(err);
}

/* Writes a node's files, also those after one that cannot be written. Adds the
 * number of those that were not written to *@lost. */
static void write_node(FuguFiles *s, unsigned *lost)
{
    g_autofree char *directory = directory_of(s);

    for (unsigned i = 0; i < s->list.files->len; i++) {
        const FuguFile *file = g_ptr_array_index(s->list.files, i);
        Error *err = NULL;

        if (!file->name) {
            continue;
        }
        if (g_mkdir_with_parents(directory, 0777)) {
            error_setg_errno(&err, errno, "the directory %s for the program's "
                             "files cannot be made", directory);
        }
        if (err || !write_one(directory, file, &err)) {
            tell(err, (*lost)++);
        }
    }
}

uint32_t fugu_files_write_all(FuguMachineState *m)
{
    unsigned lost = 0;

    if (m->options.output) {
        for (uint32_t i = m->parts.first; i < m->parts.end; i++) {
            write_node(m->parts.nodes[i]->files, &lost);
        }
    }
    if (lost > LOST_MAX) {
        error_printf("fugu: %u more of the program's files cannot be written\n",
                     lost - LOST_MAX);
    }
    return lost ? FUGU_STATUS_FILE : 0;
}
