/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_GLES_META_ZONES_H
#define GST_GLES_META_ZONES_H

#include <gst/gles/meta/frame-info.h>
#include <gst/video/video.h>

G_BEGIN_DECLS

#define GST_TYPE_GLES_ZONE_KIND (gst_gles_zone_kind_get_type ())
GST_GLES_API GType gst_gles_zone_kind_get_type (void);

#define GST_TYPE_GLES_ZONE (gst_gles_zone_get_type ())
GST_GLES_API GType gst_gles_zone_get_type (void);

#define GST_TYPE_GLES_ZONES_RESULT (gst_gles_zones_result_get_type ())
GST_GLES_API GType gst_gles_zones_result_get_type (void);

/**
 * GstGlesZoneKind:
 * @GST_GLES_ZONE_AREA: a polygon that things are inside of
 * @GST_GLES_ZONE_LINE: a directed line that things cross
 *
 * Since: 0.1
 */
typedef enum {
  GST_GLES_ZONE_AREA,
  GST_GLES_ZONE_LINE
} GstGlesZoneKind;

/**
 * GstGlesZone:
 * @kind: whether it is a polygon or a line
 * @occupied: 1 if the polygon is occupied, otherwise 0; 0 for a line
 * @first_vertex: index of its first vertex in gst_gles_zones_result_get_vertex_bytes()
 * @n_vertices: number of its vertices
 * @first_member: index of its first member in gst_gles_zones_result_get_member_bytes()
 * @n_members: number of things that are inside; 0 for a line
 * @n_in: things that entered the polygon, or crossed the line from its left to its right, so far
 * @n_out: things that left the polygon, or crossed the line from its right to its left, so far
 *
 * A zone or a line in one frame. docs/elements/gleszones.md defines what counts. An array of zones
 * has 40 bytes for each.
 *
 * Since: 0.1
 */
typedef struct {
  GstGlesZoneKind kind;
  guint32 occupied;
  guint32 first_vertex, n_vertices;
  guint32 first_member, n_members;
  guint64 n_in, n_out;
} GstGlesZone;

/**
 * GstGlesZoneVertex:
 * @x: 256ths of a pixel from the left edge of the picture
 * @y: 256ths of a pixel from its upper edge
 *
 * A vertex of a zone or a line. It may lie outside of the picture.
 *
 * Since: 0.1
 */
typedef struct {
  gint32 x, y;
} GstGlesZoneVertex;

/**
 * GstGlesZoneMember:
 * @track: number of its track; 0 for a box without a track
 * @inside: nanoseconds since it entered; 0 for a box without a track
 * @label: index of its label; see gst_gles_zones_result_get_label()
 * @zone: index of the zone that it is inside of
 *
 * A thing that is inside of a zone. An array of members has 24 bytes for each.
 *
 * Since: 0.1
 */
typedef struct {
  guint64 track;
  guint64 inside;
  guint32 label;
  guint32 zone;
} GstGlesZoneMember;

/**
 * gst_gles_zone_copy:
 * @zone: a zone
 *
 * Returns: (transfer full): a copy
 * Since: 0.1
 */
GST_GLES_API GstGlesZone *gst_gles_zone_copy (const GstGlesZone *zone);

/**
 * gst_gles_zone_free:
 * @zone: (transfer full) (nullable): a zone from gst_gles_zone_copy()
 *
 * Since: 0.1
 */
GST_GLES_API void gst_gles_zone_free (GstGlesZone *zone);

/**
 * GstGlesZonesResult:
 *
 * The zones of one frame and what is in them, and behind them the lines, each in the order of the
 * property. Complete as soon as it is made: no getter waits.
 *
 * Never changes once made, so that it can be shared between buffers and threads. A
 * #GstMiniObject: gst_mini_object_ref() and gst_mini_object_unref() apply. All functions can be
 * called from any thread, several at a time, and none needs a GL context.
 *
 * Since: 0.1
 */
typedef struct _GstGlesZonesResult GstGlesZonesResult;
typedef struct _GstGlesZonesInfo GstGlesZonesInfo;

/**
 * GstGlesZonesInfo:
 * @frame: what all results tell of it
 * @has_tracks: whether things were tracks; %FALSE: boxes, which only tell how many are inside
 * @n_labels: number of labels
 *
 * What was looked at.
 *
 * Since: 0.1
 */
struct _GstGlesZonesInfo {
  GstGlesFrameInfo frame;
  gboolean has_tracks;
  guint n_labels;
};

/* ---- reading a result ---- */

/**
 * gst_gles_zones_result_ref: (skip)
 * @result: a result
 *
 * Returns: (transfer full): @result
 */
GST_GLES_API GstGlesZonesResult *gst_gles_zones_result_ref (GstGlesZonesResult *result);

/**
 * gst_gles_zones_result_unref: (skip)
 * @result: (transfer full) (nullable): a result
 *
 * Thread: any; needs no context and does not wait.
 */
GST_GLES_API void gst_gles_zones_result_unref (GstGlesZonesResult *result);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstGlesZonesResult, gst_gles_zones_result_unref)

/**
 * gst_gles_zones_result_from_buffer:
 * @buffer: a buffer
 *
 * The result of the #GstGlesZonesMeta that was added to @buffer last: of several gleszones
 * elements in a row, the one nearest to the caller. gst_buffer_iterate_meta_filtered() finds the
 * others.
 *
 * Returns: (transfer full) (nullable): the result, %NULL if @buffer has none
 * Since: 0.1
 */
GST_GLES_API GstGlesZonesResult *gst_gles_zones_result_from_buffer (GstBuffer *buffer);

/**
 * gst_gles_zones_result_is_ready:
 * @result: a result
 *
 * For symmetry with the results that come from a device: those of zones are complete from the
 * start.
 *
 * Returns: %TRUE
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_zones_result_is_ready (GstGlesZonesResult *result);

/**
 * gst_gles_zones_result_wait:
 * @result: a result
 * @timeout_ns: the longest to wait in nanoseconds, which is not used
 * @error: never set
 *
 * For symmetry with the results that come from a device; does not wait.
 *
 * Returns: %TRUE
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_zones_result_wait (
    GstGlesZonesResult *result, guint64 timeout_ns, GError **error);

/**
 * gst_gles_zones_result_get_count:
 * @result: a result
 *
 * Returns: the number of zones and lines
 * Since: 0.1
 */
GST_GLES_API guint gst_gles_zones_result_get_count (GstGlesZonesResult *result);

/**
 * gst_gles_zones_result_get_zone:
 * @result: a result
 * @index: a zone or line, from 0, below gst_gles_zones_result_get_count()
 * @error: set when %NULL is returned
 *
 * One zone or line.
 *
 * Returns: (transfer none) (nullable): the zone; it lives as long as @result. Errors:
 *     %GST_GLES_ERROR_INVALID for an @index past the end.
 * Since: 0.1
 */
GST_GLES_API const GstGlesZone *gst_gles_zones_result_get_zone (
    GstGlesZonesResult *result, guint index, GError **error);

/**
 * gst_gles_zones_result_get_name:
 * @result: a result
 * @index: a zone or line, from 0, below gst_gles_zones_result_get_count()
 *
 * Returns: (transfer none) (nullable): its name; it lives as long as @result. %NULL for an @index
 *     past the end.
 * Since: 0.1
 */
GST_GLES_API const gchar *gst_gles_zones_result_get_name (GstGlesZonesResult *result, guint index);

/**
 * gst_gles_zones_result_get_label:
 * @result: a result
 * @index: the label of a member, below n_labels of #GstGlesZonesInfo
 *
 * Returns: (transfer none) (nullable): what the thing is called, such as "car"; it lives as long as
 *     @result. %NULL for an @index past the end.
 * Since: 0.1
 */
GST_GLES_API const gchar *gst_gles_zones_result_get_label (GstGlesZonesResult *result, guint index);

/**
 * gst_gles_zones_result_get_vertices: (skip)
 * @result: a result
 * @index: a zone or line, from 0, below gst_gles_zones_result_get_count()
 * @n: (out) (optional): how many vertices there are
 *
 * Returns: (transfer none) (nullable): its vertices; they live as long as @result. %NULL for an
 *     @index past the end.
 * Since: 0.1
 */
GST_GLES_API const GstGlesZoneVertex *gst_gles_zones_result_get_vertices (
    GstGlesZonesResult *result, guint index, guint *n);

/**
 * gst_gles_zones_result_get_members: (skip)
 * @result: a result
 * @index: a zone or line, from 0, below gst_gles_zones_result_get_count()
 * @n: (out) (optional): how many members there are
 *
 * Returns: (transfer none) (nullable): the things that are inside, in the order of their tracks, or
 *     of boxes; they live as long as @result. %NULL if there are none, and for an @index past the
 *     end.
 * Since: 0.1
 */
GST_GLES_API const GstGlesZoneMember *gst_gles_zones_result_get_members (
    GstGlesZonesResult *result, guint index, guint *n);

/**
 * gst_gles_zones_result_get_bytes:
 * @result: a result
 * @error: never set
 *
 * The zones and lines as they lie in memory, for languages that read arrays out of bytes: a
 * #GstGlesZone of 40 bytes each, in the host's byte order. Copies nothing.
 *
 * Returns: (transfer full): 40 bytes per zone or line; keeps @result alive
 * Since: 0.1
 */
GST_GLES_API GBytes *gst_gles_zones_result_get_bytes (GstGlesZonesResult *result, GError **error);

/**
 * gst_gles_zones_result_get_vertex_bytes:
 * @result: a result
 *
 * The vertices of all zones and lines, for languages that read arrays out of bytes: x and y of
 * each, two numbers of 32 bits with a sign, in the host's byte order. Copies nothing.
 *
 * Returns: (transfer full): 8 bytes per vertex; keeps @result alive
 * Since: 0.1
 */
GST_GLES_API GBytes *gst_gles_zones_result_get_vertex_bytes (GstGlesZonesResult *result);

/**
 * gst_gles_zones_result_get_member_bytes:
 * @result: a result
 *
 * The members of all zones, for languages that read arrays out of bytes: a #GstGlesZoneMember of 24
 * bytes each, in the host's byte order. Copies nothing.
 *
 * Returns: (transfer full): 24 bytes per member; keeps @result alive
 * Since: 0.1
 */
GST_GLES_API GBytes *gst_gles_zones_result_get_member_bytes (GstGlesZonesResult *result);

/* ---- what was looked at ---- */

/**
 * gst_gles_zones_result_get_info:
 * @result: a result
 *
 * Returns: (transfer none): what was looked at; lives as long as @result
 * Since: 0.1
 */
GST_GLES_API const GstGlesZonesInfo *gst_gles_zones_result_get_info (GstGlesZonesResult *result);

/**
 * gst_gles_zones_result_get_frame:
 * @result: a result
 *
 * Returns: (transfer none): number, times, size, format and origin of the frame; lives as long
 *     as @result
 * Since: 0.1
 */
GST_GLES_API const GstGlesFrameInfo *gst_gles_zones_result_get_frame (GstGlesZonesResult *result);

/* ---- the meta ---- */

typedef struct _GstGlesZonesMeta GstGlesZonesMeta;

/**
 * GstGlesZonesMeta:
 * @meta: parent
 * @result: (transfer none): the result that this meta holds a reference of
 *
 * Zones on a buffer. Tagged with size and orientation: copies of the buffer and scaled ones
 * share the result, whose coordinates stay those of the picture at gleszones; other transforms,
 * such as cropping and rotating, drop it. A buffer can have several, one per gleszones it went
 * through, in that order.
 *
 * Since: 0.1
 */
struct _GstGlesZonesMeta {
  GstMeta meta;
  GstGlesZonesResult *result;
};

#define GST_GLES_ZONES_META_API_TYPE (gst_gles_zones_meta_api_get_type ())
GST_GLES_API GType gst_gles_zones_meta_api_get_type (void);

#define GST_GLES_ZONES_META_INFO (gst_gles_zones_meta_get_info ())
GST_GLES_API const GstMetaInfo *gst_gles_zones_meta_get_info (void);

/**
 * gst_buffer_add_gles_zones_meta:
 * @buffer: a writable buffer
 * @result: (transfer none): a result
 *
 * Adds a meta that refers to @result, behind those that @buffer has already. Does not wait.
 *
 * Returns: (transfer none): the meta, owned by @buffer
 * Since: 0.1
 */
GST_GLES_API GstGlesZonesMeta *gst_buffer_add_gles_zones_meta (
    GstBuffer *buffer, GstGlesZonesResult *result);

/**
 * gst_buffer_get_gles_zones_meta:
 * @buffer: a buffer
 *
 * Returns: (transfer none) (nullable): the zones meta that was added last, %NULL if none
 * Since: 0.1
 */
GST_GLES_API GstGlesZonesMeta *gst_buffer_get_gles_zones_meta (GstBuffer *buffer);

G_END_DECLS

#endif
