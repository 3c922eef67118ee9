/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Where the streams of this process are: the devices that `auto` opened on a machine with several
 * GPUs, and who analyses on them (docs/decisions/0017). All elements on a GPU share one device. */
#ifndef GST_GLES_PLACEMENT_H
#define GST_GLES_PLACEMENT_H

#include <gst/gles/device/choice.h>
#include <gst/gles/device/device.h>

G_BEGIN_DECLS

/* Whether this machine has several GPUs, so that @spec (nullable), if it is "auto", leaves a
 * choice. Thread: any. */
GST_GLES_API gboolean gst_gles_placement_has_choice (const gchar *spec);

/* gst_gles_device_ensure(), except that a device that has to be chosen is the one with the least
 * work, of which the pipeline's other elements hear from their neighbours only. *is_placed says
 * whether @element is now counted on one of this process's GPUs, and may go to another one.
 * Thread and errors: as gst_gles_device_ensure(). */
GST_GLES_API gboolean gst_gles_placement_ensure (GstElement *element, const gchar *spec,
    GstGlesDevice **device, gboolean *is_placed, GError **error);

/* Moves @element to the GPU that owns frames of @owner. Waits for the driver if no element of this
 * process is there yet. Thread: any.
 *
 * Returns: (transfer full) (nullable): the device, where it was if no GPU owns them; NULL if none
 *     can be opened, with @error set for invalid settings only. */
GST_GLES_API GstGlesDevice *gst_gles_placement_move (
    GstElement *element, const GstGlesOwner *owner, GError **error);

/* Counts @element nowhere. Nothing happens if it was not counted. Thread: any. */
GST_GLES_API void gst_gles_placement_leave (GstElement *element);

G_END_DECLS

#endif
