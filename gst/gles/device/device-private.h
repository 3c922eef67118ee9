/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_GLES_DEVICE_PRIVATE_H
#define GST_GLES_DEVICE_PRIVATE_H

#include <gst/gles/device/device.h>
#include <gst/gles/device/share.h>

/* Opens exactly the device that @spec names; @spec is neither "auto" nor "software". Errors: as
 * gst_gles_device_new(). */
GstGlesDevice *gst_gles_device_open (const gchar *spec, GError **error);

/* Returns the device's share: (transfer none). */
GstGlesShare *gst_gles_device_get_share (GstGlesDevice *device);

/* Makes a queue on @share. The queue holds a reference to @device if @holds, and a weak one
 * otherwise, for the default queue, which the device owns. */
GstGlesQueue *gst_gles_queue_create (GstGlesShare *share, GstGlesDevice *device, gboolean holds);

#endif
