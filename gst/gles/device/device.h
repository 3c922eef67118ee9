/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_GLES_DEVICE_H
#define GST_GLES_DEVICE_H

#include <gst/gles/core/error.h>
#include <gst/gles/core/prelude.h>
#include <gst/gles/device/limits.h>

G_BEGIN_DECLS

/**
 * GstGlesDevice:
 *
 * A GPU, a software renderer or the CPU, opened for compute work. Elements of a pipeline share one
 * through a #GstContext; programs open theirs with gst_gles_device_new(). It is closed with the
 * last reference, which its queues, buffers and plans hold too. Thread: any.
 *
 * Since: 0.1
 */
#define GST_TYPE_GLES_DEVICE (gst_gles_device_get_type ())
GST_GLES_API
G_DECLARE_FINAL_TYPE (GstGlesDevice, gst_gles_device, GST, GLES_DEVICE, GstObject)

/**
 * gst_gles_device_new:
 * @spec: (nullable): which device: "auto", the path of a render node, "egl:N", "surfaceless",
 *     "software" or "cpu"; %NULL or "" asks the environment variable `GST_GLES_DEVICE`, then "auto"
 * @error: set when %NULL is returned
 *
 * Opens a device. A GPU is open once in a process: who asks for one that is open, by whatever name,
 * gets the same device, unless it is lost. "auto" is the first GPU with OpenGL ES 3.1 (render nodes
 * through GBM, EGL devices, surfaceless), else "cpu", which always works; its choice and the reason
 * are logged at level INFO. It never takes a software renderer: native code gives the same results
 * in a fraction of the time. Never opens a connection to a window system.
 *
 * Thread: any. Waits for the driver to start: up to some 100 ms.
 *
 * Returns: (transfer full) (nullable): a device. Errors: %GST_GLES_ERROR_SETTINGS,
 *     %GST_GLES_ERROR_NOT_FOUND, %GST_GLES_ERROR_OPEN, %GST_GLES_ERROR_INIT.
 * Since: 0.1
 */
GST_GLES_API GstGlesDevice *gst_gles_device_new (const gchar *spec, GError **error);

/**
 * gst_gles_device_get_kind:
 * @device: a device
 *
 * Returns: hardware, software or cpu. Thread: any.
 * Since: 0.1
 */
GST_GLES_API GstGlesDeviceKind gst_gles_device_get_kind (GstGlesDevice *device);

/**
 * gst_gles_device_get_id:
 * @device: a device
 *
 * The canonical name of the opened device: "gbm:/dev/dri/renderD128", "egl:0", "surfaceless" or
 * "cpu". Devices with equal ids are interchangeable. Without its prefix "gbm:", the id is a valid
 * spec for gst_gles_device_new().
 *
 * Returns: (transfer none): the id; lives as long as @device. Thread: any.
 * Since: 0.1
 */
GST_GLES_API const gchar *gst_gles_device_get_id (GstGlesDevice *device);

/**
 * gst_gles_device_get_description:
 * @device: a device
 *
 * Returns: (transfer none): renderer, version and id in one line for people. Thread: any.
 * Since: 0.1
 */
GST_GLES_API const gchar *gst_gles_device_get_description (GstGlesDevice *device);

/**
 * gst_gles_device_get_buffer_bytes:
 * @device: a device
 *
 * Returns: how many bytes of storage the buffers of @device have at the moment: those of programs,
 *     and those in which elements keep frames and results. Thread: any; the next moment may have
 *     another value.
 * Since: 0.1
 */
GST_GLES_API guint64 gst_gles_device_get_buffer_bytes (GstGlesDevice *device);

/**
 * gst_gles_device_get_limits:
 * @device: a device
 *
 * Returns: (transfer none): what the device can do; lives as long as @device. Thread: any.
 * Since: 0.1
 */
GST_GLES_API const GstGlesLimits *gst_gles_device_get_limits (GstGlesDevice *device);

/**
 * gst_gles_device_is_lost:
 * @device: a device
 *
 * Returns: whether the GPU was reset or removed. Nothing on a lost device can be used again; waits
 *     on it fail with %GST_GLES_ERROR_DEVICE_LOST. Thread: any.
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_device_is_lost (GstGlesDevice *device);

/**
 * gst_gles_device_mark_lost:
 * @device: a device
 * @reason: (nullable): the reason, for the log
 *
 * Declares @device lost, for code that learns of a reset by other means. Thread: any.
 *
 * Since: 0.1
 */
GST_GLES_API void gst_gles_device_mark_lost (GstGlesDevice *device, const gchar *reason);

/**
 * gst_gles_device_matches:
 * @device: a device
 * @spec: (nullable): as for gst_gles_device_new()
 *
 * Whether an element that was asked for @spec may take @device from a #GstContext: @device is the
 * one that @spec names. A lost device matches nothing; "auto" matches every device. Thread: any.
 *
 * Returns: %TRUE if @device serves
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_device_matches (GstGlesDevice *device, const gchar *spec);

/**
 * GST_GLES_WAIT_FOREVER: (value 18446744073709551615) (type guint64)
 *
 * A timeout in nanoseconds that waits without limit.
 *
 * Since: 0.1
 */
#define GST_GLES_WAIT_FOREVER ((guint64) -1)

/* ---- sharing a device between the elements of a pipeline ---- */

/**
 * GST_GLES_DEVICE_CONTEXT_TYPE:
 *
 * The #GstContext type that carries a #GstGlesDevice.
 *
 * Since: 0.1
 */
#define GST_GLES_DEVICE_CONTEXT_TYPE "gst.gles.device"

/**
 * gst_gles_device_ensure:
 * @element: an element
 * @spec: (nullable): as for gst_gles_device_new()
 * @device: (inout) (transfer full): the element's device, %NULL at first; kept when it matches
 *     @spec
 * @error: set when %FALSE is returned
 *
 * Gives @element a device during the change from NULL to READY: asks neighbours and the application
 * for one that matches @spec, else opens one and offers it to them. Model:
 * gst_va_ensure_element_data().
 *
 * Thread: the one that changes the element's state.
 *
 * Returns: %TRUE if @device holds a device
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_device_ensure (
    GstElement *element, const gchar *spec, GstGlesDevice **device, GError **error);

/**
 * gst_gles_device_handle_set_context:
 * @context: the argument of #GstElementClass.set_context()
 * @spec: (nullable): as for gst_gles_device_new()
 * @device: (inout) (transfer full): replaced when @context carries a matching device and this is
 *     %NULL or lost
 *
 * Returns: %TRUE if @device was replaced. Thread: any that holds the element's own lock on @device.
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_device_handle_set_context (
    GstContext *context, const gchar *spec, GstGlesDevice **device);

/**
 * gst_gles_device_handle_context_query:
 * @element: an element
 * @query: a %GST_QUERY_CONTEXT
 * @device: (nullable) (transfer none): the element's device
 *
 * Returns: %TRUE if @query asked for a device and was answered. Thread: any.
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_device_handle_context_query (
    GstElement *element, GstQuery *query, GstGlesDevice *device);

G_END_DECLS

#endif
