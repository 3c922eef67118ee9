/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_GLES_COMPONENTS_H
#define GST_GLES_COMPONENTS_H

#include <gst/gles/core/types.h>
#include <gst/gles/core/region.h>
#include <gst/gles/gl/buffer.h>

G_BEGIN_DECLS

#define GST_TYPE_GLES_COMPONENTS (gst_gles_components_get_type ())
GST_GLES_API GType gst_gles_components_get_type (void);

/**
 * GST_GLES_COMPONENTS_NO_LABEL:
 *
 * The label of words, or bytes, that belong to no component.
 *
 * Since: 0.1
 */
#define GST_GLES_COMPONENTS_NO_LABEL 0xffffffffu

/**
 * GstGlesComponents:
 *
 * A plan for the connected components of a grid, with the box, the size and the sums of each. It
 * belongs to a queue, owns the scratch memory, and can be used for any number of calls; a call
 * allocates nothing. Calls queue work and do not wait; on a cpu device the work is done when
 * they return.
 *
 * The grid's foreground is divided into runs of up to 32 words, which are the nodes of a
 * union-find forest (Komura 2015; Playne and Hawick 2018; by runs as in He, Chao and Suzuki
 * 2008). Tiles are labelled independently, then joined along their borders. No invocation waits
 * for another one. The label of a component is its first word in raster order, so results are
 * the same bits on every device. docs/algorithms/components.md describes the steps.
 *
 * Arguments are checked when a call is made: an error leaves every buffer as it was. Conditions
 * that only the device can detect are reported in #GstGlesResult.status.
 *
 * Thread: any, one at a time per plan.
 *
 * Since: 0.1
 */
typedef struct _GstGlesComponents GstGlesComponents;

/**
 * GstGlesComponentsSource:
 * @GST_GLES_COMPONENTS_WORDS: u32 words, row by row
 * @GST_GLES_COMPONENTS_POINTS: 8 bytes each: u16 x, u16 y, u32 value. Points are counted in
 *     cells, and the cells are connected
 * @GST_GLES_COMPONENTS_BYTES: u8 bytes, row by row, without padding between the rows: masks of
 *     OpenCV and NumPy as they are
 *
 * The elements of the grid.
 *
 * Since: 0.1
 */
typedef enum {
  GST_GLES_COMPONENTS_WORDS,
  GST_GLES_COMPONENTS_POINTS,
  GST_GLES_COMPONENTS_BYTES
} GstGlesComponentsSource;

/**
 * GstGlesComponentsConfig:
 * @source: the elements of the grid
 * @width: the width of the grid in words or bytes, or of the frame of points in pixels: 1 to 2^24,
 *     for points at most 65536
 * @height: the height, likewise
 * @connectivity: 4 (neighbours share an edge) or 8 (an edge or a corner)
 * @cell_width: points: the width of a cell in pixels, at least 1; the last column of cells may
 *     exceed the frame. Words and bytes: 0 or 1
 * @cell_height: the height of a cell, likewise
 * @max_points: points: the most points per call
 * @max_regions: the most components that a call lists, at least 1
 *
 * Configures a plan. On devices with GL a plan takes about 6 bytes of scratch memory for each
 * element or cell, and 2 more with connectivity 4. The largest of its buffers have 2 bytes for each
 * and must fit a storage block (limits.storage_block_bytes, at least 128 MiB), which those of a
 * grid of 8192 x 4320 always do.
 *
 * Since: 0.1
 */
typedef struct {
  GstGlesComponentsSource source;
  guint width;
  guint height;
  guint connectivity;
  guint cell_width;
  guint cell_height;
  guint max_points;
  guint max_regions;
  /*< private >*/
  gpointer reserved[4];
} GstGlesComponentsConfig;

/**
 * gst_gles_components_new:
 * @queue: the queue of the plan; kept
 * @config: what to work on
 * @error: set when %NULL is returned
 *
 * Makes a plan, with its kernels compiled. Thread: any.
 *
 * Returns: (transfer full) (nullable): a plan. Errors: %GST_GLES_ERROR_INVALID (a size that is
 *     not possible), %GST_GLES_ERROR_TOO_LARGE, %GST_GLES_ERROR_NO_MEMORY,
 *     %GST_GLES_ERROR_COMPILE, %GST_GLES_ERROR_SETTINGS (`GST_GLES_COMPONENTS_VARIANT`),
 *     %GST_GLES_ERROR_DEVICE_LOST.
 * Since: 0.1
 */
GST_GLES_API GstGlesComponents *gst_gles_components_new (
    GstGlesQueue *queue, const GstGlesComponentsConfig *config, GError **error);

/**
 * gst_gles_components_ref:
 * @components: a plan
 *
 * Returns: (transfer full): @components
 * Since: 0.1
 */
GST_GLES_API GstGlesComponents *gst_gles_components_ref (GstGlesComponents *components);

/**
 * gst_gles_components_unref:
 * @components: (transfer full) (nullable): a plan
 *
 * Drops a reference. Queued work still runs. Thread: any.
 *
 * Since: 0.1
 */
GST_GLES_API void gst_gles_components_unref (GstGlesComponents *components);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstGlesComponents, gst_gles_components_unref)

/**
 * gst_gles_components_get_result:
 * @components: a plan
 *
 * Gets the device buffer to which each call writes a #GstGlesResult, at offset 0: the total is
 * the number of components that are large enough, the count is the number that is listed, and
 * the status has %GST_GLES_STATUS_TRUNCATED if that is not all. It is written in the order of
 * the queue, and the next call overwrites it.
 *
 * Returns: (transfer none): the buffer; lives as long as @components
 * Since: 0.1
 */
GST_GLES_API GstGlesBuffer *gst_gles_components_get_result (GstGlesComponents *components);

/**
 * gst_gles_components_copy_result:
 * @components: a plan
 * @target: (transfer none): receives the #GstGlesResult of the last call, in its first 16 bytes
 * @error: set when %FALSE is returned
 *
 * Queues a copy of the #GstGlesResult of the last call, which the next call would overwrite.
 * Does not wait.
 *
 * Returns: %TRUE if queued. Errors: %GST_GLES_ERROR_INVALID (a buffer that is too small or another
 *     device's), %GST_GLES_ERROR_DEVICE_LOST.
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_components_copy_result (
    GstGlesComponents *components, GstGlesBuffer *target, GError **error);

/**
 * gst_gles_components_run:
 * @components: a plan for words or for bytes, which are called words below
 * @words: (transfer none): width * height words, row by row
 * @lower: the smallest word that is foreground
 * @upper: the largest word that is foreground; if it is below @lower, no word is
 * @min_size: components of fewer words are left out; 0 and 1 leave out none
 * @regions: (transfer none): receives a #GstGlesRegion for each component that is listed, the
 *     largest first, equal sizes in raster order, at most max_regions. It must hold
 *     max_regions, or as many components as such a grid can have if these are fewer
 * @labels: (transfer none) (nullable): receives a u32 for each word: the raster index of
 *     the first word of its component, whether that is listed or not;
 *     %GST_GLES_COMPONENTS_NO_LABEL for background
 * @error: set when %FALSE is returned
 *
 * Queues the search for components. Does not wait.
 *
 * Returns: %TRUE if queued. Errors: %GST_GLES_ERROR_INVALID (a plan for points; a buffer that is
 *     too small, of another device, or used twice), %GST_GLES_ERROR_DEVICE_LOST.
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_components_run (GstGlesComponents *components, GstGlesBuffer *words,
    guint32 lower, guint32 upper, guint min_size, GstGlesBuffer *regions, GstGlesBuffer *labels,
    GError **error);

/**
 * gst_gles_components_run_points:
 * @components: a plan for points
 * @points: (transfer none): @n points, in any order; those outside of the frame are ignored
 * @n: number of points, 0 allowed
 * @min_points: the number of points from which a cell is foreground; 0 is taken as 1
 * @min_size: components of fewer points are left out
 * @regions: (transfer none): as for gst_gles_components_run(), with the boxes, sizes and sums of
 *     points
 * @error: set when %FALSE is returned
 *
 * Queues the search for components of cells that contain points. Does not wait.
 *
 * Returns: %TRUE if queued. Errors: %GST_GLES_ERROR_TOO_LARGE (over max_points),
 *     %GST_GLES_ERROR_INVALID (a plan for a grid; a buffer that is too small, of another device,
 *     or used twice), %GST_GLES_ERROR_DEVICE_LOST.
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_components_run_points (GstGlesComponents *components,
    GstGlesBuffer *points, guint n, guint min_points, guint min_size, GstGlesBuffer *regions,
    GError **error);

/**
 * gst_gles_components_run_points_indirect:
 * @components: a plan for points
 * @points: (transfer none): the points
 * @count: (transfer none): the buffer that holds the number of points; not @regions
 * @count_offset_bytes: byte offset of the number in @count, a multiple of 4
 * @min_points: as for gst_gles_components_run_points()
 * @min_size: as for gst_gles_components_run_points()
 * @regions: (transfer none): as for gst_gles_components_run_points()
 * @error: set when %FALSE is returned
 *
 * Like gst_gles_components_run_points(), but the number of points is a u32 on the device, which is
 * read when the work runs. It is limited to max_points and the size of @points
 * (%GST_GLES_STATUS_COUNT_CLAMPED).
 *
 * Returns: %TRUE if queued. Errors: as gst_gles_components_run_points().
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_components_run_points_indirect (GstGlesComponents *components,
    GstGlesBuffer *points, GstGlesBuffer *count, gsize count_offset_bytes, guint min_points,
    guint min_size, GstGlesBuffer *regions, GError **error);

G_END_DECLS

#endif
