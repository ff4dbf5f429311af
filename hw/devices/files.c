/*
 * The files of a node (see files.h)
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "migration/vmstate.h"
#include "hw/fugu/devices/device.h"
#include "hw/fugu/devices/files.h"
#include "hw/fugu/machine/machine.h"
#include "hw/fugu/trace.h"

static const char *name_of(const FuguFiles *s)
{
    return (const char *)s->name;
}

/* ---- Commands ----------------------------------------------------------- */

static uint32_t files_create(FuguFiles *s)
{
    FuguFile *file;

    if (fugu_file_by_name(&s->list, name_of(s))) {
        return FUGU_FILES_EXISTS;
    }
    file = fugu_file_create(&s->list, name_of(s));
    if (!file) {
        return FUGU_FILES_FULL;
    }
    s->id = file->id;
    return 0;
}

/* Commands that look for the file by its name. */
static uint32_t files_by_name(FuguFiles *s, uint32_t command)
{
    FuguFile *file = fugu_file_by_name(&s->list, name_of(s));

    if (!file) {
        return FUGU_FILES_MISSING;
    }
    s->id = file->id;
    if (command == FUGU_FILES_UNLINK) {
        fugu_file_unlink(&s->list, file);
    }
    return 0;
}

static uint32_t file_open(FuguFile *file)
{
    if (file->opens == UINT32_MAX) {
        return FUGU_FILES_FULL;
    }
    file->opens++;
    return 0;
}

static uint32_t file_close(FuguFiles *s, FuguFile *file)
{
    if (!file->opens) {
        return FUGU_FILES_CLOSED;
    }
    file->opens--;
    fugu_file_drop_unreachable(&s->list, file);
    return 0;
}

/* Commands on the file of number s->id. */
static uint32_t files_by_id(FuguFiles *s, uint32_t command)
{
    FuguFile *file = fugu_file_by_id(&s->list, s->id);

    if (!file) {
        return FUGU_FILES_MISSING;
    }
    switch (command) {
    case FUGU_FILES_RENAME:
        fugu_file_rename(&s->list, file, name_of(s));
        return 0;
    case FUGU_FILES_RESIZE:
        return fugu_file_resize(&s->list, file, s->position);
    case FUGU_FILES_OPEN:
        return file_open(file);
    default:
        return file_close(s, file);
    }
}

static bool uses_name(uint32_t command)
{
    return command >= FUGU_FILES_FIND && command <= FUGU_FILES_RENAME;
}

static uint32_t files_do(FuguFiles *s, uint32_t command)
{
    if (uses_name(command) && !fugu_file_is_name(name_of(s), s->name_len)) {
        return FUGU_FILES_BAD_NAME;
    }
    if ((command == FUGU_FILES_CREATE || command == FUGU_FILES_RENAME) &&
        fugu_file_is_in_the_way(&s->list, name_of(s))) {
        return FUGU_FILES_BAD_NAME;
    }
    switch (command) {
    case FUGU_FILES_FIND:
    case FUGU_FILES_UNLINK:
        return files_by_name(s, command);
    case FUGU_FILES_CREATE:
        return files_create(s);
    default:
        return files_by_id(s, command);
    }
}

static void files_command(FuguFiles *s, uint32_t command)
{
    s->result = files_do(s, command);
    trace_fugu_files_command(s->node->number, fugu_node_time(s->node), command,
                             s->id, s->result);
    if (uses_name(command)) {
        memset(s->name, 0, sizeof(s->name));
        s->name_len = 0;
    }
}

/* ---- Registers ---------------------------------------------------------- */

static void files_name(FuguFiles *s, uint8_t byte)
{
    if (s->name_len < FUGU_FILES_NAME_MAX) {
        s->name[s->name_len] = byte;
    }
    s->name_len = MIN(s->name_len + 1, FUGU_FILES_NAME_MAX + 1);
}

static uint32_t files_get(FuguFiles *s)
{
    FuguFile *file = fugu_file_by_id(&s->list, s->id);
    uint32_t byte;

    if (!file || s->position >= file->data->len) {
        return -1;
    }
    byte = file->data->data[s->position];
    if (!fugu_device_peeked()) {
        s->position++;
    }
    return byte;
}

static void files_put(FuguFiles *s, uint8_t byte)
{
    FuguFile *file = fugu_file_by_id(&s->list, s->id);

    if (!file) {
        s->result = FUGU_FILES_MISSING;
        return;
    }
    s->result = s->position < file->data->len
        ? 0 : fugu_file_resize(&s->list, file, s->position + 1ULL);
    if (s->result == 0) {
        file->data->data[s->position++] = byte;
    }
}

static uint64_t files_read(void *opaque, hwaddr addr, unsigned size)
{
    FuguFiles *s = opaque;
    FuguFile *file;

    if (size == 4) {
        switch (addr) {
        case FUGU_FILES_ID:
            return s->id;
        case FUGU_FILES_POSITION:
            return s->position;
        case FUGU_FILES_RESULT:
            return s->result;
        case FUGU_FILES_SIZE:
            file = fugu_file_by_id(&s->list, s->id);
            return file ? file->data->len : UINT32_MAX;
        case FUGU_FILES_DATA:
            return files_get(s);
        }
    }
    return fugu_device_bad_read(s->node, TYPE_FUGU_FILES, addr, size);
}

static void files_write(void *opaque, hwaddr addr, uint64_t value,
                        unsigned size)
{
    FuguFiles *s = opaque;

    if (size == 4) {
        switch (addr) {
        case FUGU_FILES_NAME:
            files_name(s, value);
            return;
        case FUGU_FILES_ID:
            s->id = value;
            return;
        case FUGU_FILES_POSITION:
            s->position = value;
            return;
        case FUGU_FILES_COMMAND:
            if (value < FUGU_FILES_FIND || value > FUGU_FILES_CLOSE) {
                break;
            }
            files_command(s, value);
            return;
        case FUGU_FILES_DATA:
            files_put(s, value);
            return;
        }
    }
    fugu_device_bad_write(s->node, TYPE_FUGU_FILES, addr, size, value);
}

static const MemoryRegionOps files_ops =
    FUGU_DEVICE_OPS(files_read, files_write);

/* ---- State -------------------------------------------------------------- */

static int files_post_load(void *opaque, int version_id)
{
    FuguFiles *s = opaque;

    s->name[FUGU_FILES_NAME_MAX] = '\0';
    return s->name_len <= FUGU_FILES_NAME_MAX + 1 ? 0 : -EINVAL;
}

const VMStateDescription vmstate_fugu_files = {
    .name = TYPE_FUGU_FILES,
    .version_id = 2,
    .minimum_version_id = 2,
    .post_load = files_post_load,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT8_ARRAY(name, FuguFiles, FUGU_FILES_NAME_MAX + 1),
        VMSTATE_UINT32(name_len, FuguFiles),
        VMSTATE_UINT32(id, FuguFiles),
        VMSTATE_UINT32(position, FuguFiles),
        VMSTATE_UINT32(result, FuguFiles),
        VMSTATE_STRUCT(list, FuguFiles, 0, vmstate_fugu_file_list, FuguFileList),
        VMSTATE_END_OF_LIST()
    }
};

/* ---- Device ------------------------------------------------------------- */

static void files_reset_hold(Object *obj, ResetType type)
{
    FuguFiles *s = FUGU_FILES(obj);

    memset(s->name, 0, sizeof(s->name));
    s->name_len = 0;
    s->id = s->position = s->result = 0;
    fugu_file_list_clear(&s->list);
}

static void files_init(Object *obj)
{
    fugu_file_list_init(&FUGU_FILES(obj)->list);
}

static void files_finalize(Object *obj)
{
    fugu_file_list_finalize(&FUGU_FILES(obj)->list);
}

static void files_realize(DeviceState *dev, Error **errp)
{
    FuguFiles *s = FUGU_FILES(dev);

    s->list.most = s->node->machine->options.output_max;
    memory_region_init_io(&s->mmio, OBJECT(s), &files_ops, s, TYPE_FUGU_FILES,
                          FUGU_DEVICE_PAGE);
}

static void files_class_init(ObjectClass *klass, void *data)
{
    DeviceClass *dc = DEVICE_CLASS(klass);
    ResettableClass *rc = RESETTABLE_CLASS(klass);

    dc->desc = "FUGU files of a node";
    dc->realize = files_realize;
    dc->user_creatable = false;
    rc->phases.hold = files_reset_hold;
}

static const TypeInfo files_types[] = {
    {
        .name = TYPE_FUGU_FILES,
        .parent = TYPE_DEVICE,
        .instance_size = sizeof(FuguFiles),
        .instance_init = files_init,
        .instance_finalize = files_finalize,
        .class_init = files_class_init,
    },
};

DEFINE_TYPES(files_types)
