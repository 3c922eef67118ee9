/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_GLES_MAP_H
#define GST_GLES_MAP_H

#include <gst/gles/expression/expression.h>
#include <gst/gles/gl/buffer.h>

G_BEGIN_DECLS

#define GST_TYPE_GLES_MAP (gst_gles_map_get_type ())
GST_GLES_API GType gst_gles_map_get_type (void);

/**
 * GstGlesMapType:
 * @GST_GLES_MAP_I32: words of 32 bits; the expression sees them with a sign
 * @GST_GLES_MAP_U16: two values a word, the first in the low half
 * @GST_GLES_MAP_U8: four values a word, the first in the lowest byte
 *
 * How the values of an array are stored.
 *
 * Since: 0.1
 */
typedef enum {
  GST_GLES_MAP_I32,
  GST_GLES_MAP_U16,
  GST_GLES_MAP_U8
} GstGlesMapType;

/**
 * GST_GLES_MAP_MAX_ARRAYS:
 *
 * The most arrays of an expression in a map: the fewest storage blocks that a device has, less one
 * for the output.
 *
 * Since: 0.1
 */
#define GST_GLES_MAP_MAX_ARRAYS 3

/**
 * GstGlesMap:
 *
 * A plan that calculates an expression for each place of up to three arrays: out[i] = f (a[i],
 * b[i], c[i]). It belongs to a queue and can be used for any number of calls. Calls queue work
 * and do not wait; on a cpu device the work is done when they return.
 *
 * Thread: any, one at a time per plan.
 *
 * Since: 0.1
 */
typedef struct _GstGlesMap GstGlesMap;

/**
 * gst_gles_map_new:
 * @queue: the queue of the plan; kept
 * @expression: an expression on arrays; kept
 * @types: (array length=n_types): of the arrays that it names
 * @n_types: their number
 * @error: set when %NULL is returned
 *
 * Makes a plan. Compiles one kernel. Thread: any.
 *
 * Returns: (transfer full) (nullable): a plan. Errors: %GST_GLES_ERROR_SETTINGS (an expression on
 *     frames, another number of arrays), %GST_GLES_ERROR_NO_MEMORY, %GST_GLES_ERROR_COMPILE,
 *     %GST_GLES_ERROR_DEVICE_LOST.
 * Since: 0.1
 */
GST_GLES_API GstGlesMap *gst_gles_map_new (GstGlesQueue *queue, GstGlesExpression *expression,
    const GstGlesMapType *types, guint n_types, GError **error);

/**
 * gst_gles_map_ref:
 * @map: a plan
 *
 * Returns: (transfer full): @map
 * Since: 0.1
 */
GST_GLES_API GstGlesMap *gst_gles_map_ref (GstGlesMap *map);

/**
 * gst_gles_map_unref:
 * @map: (transfer full) (nullable): a plan
 *
 * Drops a reference. Queued work still runs. Thread: any.
 *
 * Since: 0.1
 */
GST_GLES_API void gst_gles_map_unref (GstGlesMap *map);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstGlesMap, gst_gles_map_unref)

/**
 * gst_gles_map_run:
 * @map: a plan
 * @inputs: (array length=n_inputs) (transfer none): the arrays, each of @n values
 * @n_inputs: their number
 * @parameters: (array length=n_parameters) (nullable): the parameters of the expression
 * @n_parameters: their number
 * @output: (transfer none): receives @n words of 32 bits; may be one of the inputs with such words
 * @n: number of values, 0 allowed
 * @error: set when %FALSE is returned
 *
 * Queues a map. Does not wait.
 *
 * Returns: %TRUE if queued. Errors: %GST_GLES_ERROR_INVALID (a buffer that is too small or of
 *     another device, another number of parameters), %GST_GLES_ERROR_TOO_LARGE (an array over
 *     the storage block of the device), %GST_GLES_ERROR_DEVICE_LOST.
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_map_run (GstGlesMap *map, GstGlesBuffer *const *inputs,
    guint n_inputs, const gint32 *parameters, guint n_parameters, GstGlesBuffer *output, guint n,
    GError **error);

G_END_DECLS

#endif
