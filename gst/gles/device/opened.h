/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One device for each GPU of a process (docs/decisions/0005): a GPU slices its time between
 * contexts, and NVIDIA's driver has one lock for all of a process. */
#ifndef GST_GLES_OPENED_H
#define GST_GLES_OPENED_H

#include <gst/gles/device/device.h>

G_BEGIN_DECLS

/* Returns the device of the GPU that @spec names, or opens it: (transfer full) (nullable). @spec is
 * neither "auto" nor "software". A software renderer and "cpu" are opened anew each time. Errors:
 * as gst_gles_device_new(). Thread: any; waits while another thread opens a GPU. */
GstGlesDevice *gst_gles_device_open_once (const gchar *spec, GError **error);

/* Whether @spec led to @device before, which may have another id. Thread: any. */
gboolean gst_gles_device_is_opened_as (GstGlesDevice *device, const gchar *spec);

G_END_DECLS

#endif
