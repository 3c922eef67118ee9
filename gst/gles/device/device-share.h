/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the library itself asks of a device, in every folder. */
#ifndef GST_GLES_DEVICE_SHARE_H
#define GST_GLES_DEVICE_SHARE_H

#include <gst/gles/device/device.h>
#include <gst/gles/device/share.h>

/* Opens exactly the device that @spec names; @spec is neither "auto" nor "software". Errors: as
 * gst_gles_device_new(). */
GstGlesDevice *gst_gles_device_open (const gchar *spec, GError **error);

/* Returns the device's share: (transfer none). */
GstGlesShare *gst_gles_device_get_share (GstGlesDevice *device);

/* Returns where the device keeps its default queue, which gst_gles_device_get_queue() makes. */
gpointer *gst_gles_device_get_queue_place (GstGlesDevice *device);

#endif
