/*
 * Numbers of Perfetto's format (perfetto_trace.proto): fields of messages, and
 * values. A field's name begins with that of its message.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_PERFETTO_H
#define FUGU_PERFETTO_H

#define PERFETTO_TRACE_PACKET           1

/* TracePacket */
#define PERFETTO_PACKET_CLOCKS          6
#define PERFETTO_PACKET_TIMESTAMP       8
#define PERFETTO_PACKET_CLOCK           58  /* of the timestamp */
#define PERFETTO_PACKET_SEQUENCE        10
#define PERFETTO_PACKET_EVENT           11
#define PERFETTO_PACKET_INTERNED        12
#define PERFETTO_PACKET_FLAGS           13
#define PERFETTO_PACKET_DEFAULTS        59
#define PERFETTO_PACKET_TRACK           60

#define PERFETTO_FLAGS_FIRST            1   /* of a sequence */
#define PERFETTO_FLAGS_NEEDS_STATE      2   /* of the packets before */

/* ClockSnapshot and its Clock */
#define PERFETTO_CLOCKS_CLOCK           1
#define PERFETTO_CLOCKS_PRIMARY         2
#define PERFETTO_CLOCK_ID               1
#define PERFETTO_CLOCK_TIME             2
#define PERFETTO_CLOCK_INCREMENTAL      3
#define PERFETTO_CLOCK_NS               4   /* a unit of its time */
#define PERFETTO_BOOT_TIME              6   /* a clock's id */

/* TracePacketDefaults */
#define PERFETTO_DEFAULTS_CLOCK         58

/* InternedData, and the names in it */
#define PERFETTO_INTERNED_CATEGORY      1
#define PERFETTO_INTERNED_NAME          2
#define PERFETTO_INTERNED_ARGUMENT      3
#define PERFETTO_INTERNED_TEXT          29
#define PERFETTO_NAME_NUMBER            1
#define PERFETTO_NAME_TEXT              2

/* TrackDescriptor, and its CounterDescriptor */
#define PERFETTO_TRACK_UUID             1
#define PERFETTO_TRACK_NAME             2
#define PERFETTO_TRACK_PARENT           5
#define PERFETTO_TRACK_COUNTER          8
#define PERFETTO_TRACK_ORDER            11
#define PERFETTO_TRACK_RANK             12
#define PERFETTO_ORDER_EXPLICIT         3   /* children by rank */
#define PERFETTO_COUNTER_UNIT           6   /* its name */

/* TrackEvent */
#define PERFETTO_EVENT_CATEGORY         3
#define PERFETTO_EVENT_ANNOTATION       4
#define PERFETTO_EVENT_TYPE             9
#define PERFETTO_EVENT_NAME             10
#define PERFETTO_EVENT_TRACK            11
#define PERFETTO_EVENT_EXTRA_VALUE      12
#define PERFETTO_EVENT_COUNTER          30
#define PERFETTO_EVENT_EXTRA_TRACK      31
#define PERFETTO_EVENT_FLOW             47
#define PERFETTO_EVENT_FLOW_END         48

#define PERFETTO_TYPE_BEGIN             1   /* of a slice */
#define PERFETTO_TYPE_END               2
#define PERFETTO_TYPE_INSTANT           3
#define PERFETTO_TYPE_COUNTER           4

/* DebugAnnotation */
#define PERFETTO_ANNOTATION_NAME        1
#define PERFETTO_ANNOTATION_NUMBER      3
#define PERFETTO_ANNOTATION_ADDRESS     7
#define PERFETTO_ANNOTATION_TEXT        17

#endif /* FUGU_PERFETTO_H */
