/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the library itself asks of a device, in every folder. */
#ifndef GST_GLES_DEVICE_SHARE_H
#define GST_GLES_DEVICE_SHARE_H

#include <gst/gles/device/device.h>
#include <gst/gles/device/share.h>

/* Opens exactly the device that @spec names; @spec is neither "auto" nor "software". Errors: as
 * gst_gles_device_new(). */
GstGlesDevice *gst_gles_device_open (const gchar *spec, GError **error);

/* Whether @spec (nullable) leaves the choice of a device to the library. */
gboolean gst_gles_device_is_auto (const gchar *spec);

/* Does what gst_gles_device_ensure() does, except that it opens none: gives @element, in *device, a
 * device that it has, or that neighbours or the application have. @remember: @element keeps the
 * answer of a neighbour as its context, also when it is started again. Returns FALSE if there is
 * none. */
gboolean gst_gles_device_find (
    GstElement *element, const gchar *spec, gboolean remember, GstGlesDevice **device);

/* Returns the device's share: (transfer none). */
GstGlesShare *gst_gles_device_get_share (GstGlesDevice *device);

/* Returns where the device keeps its default queue, which gst_gles_device_get_queue() makes. */
gpointer *gst_gles_device_get_queue_place (GstGlesDevice *device);

#endif
