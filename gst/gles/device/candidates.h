/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Every device that can be named, in the order in which `auto` looks for a GPU, and the result of
 * opening each. */
#ifndef GST_GLES_CANDIDATES_H
#define GST_GLES_CANDIDATES_H

#include <gst/gles/device/device.h>

typedef struct {
  gchar *spec;           /* for gst_gles_device_new() */
  GstGlesDevice *device; /* NULL: it could not be opened */
  GError *error;         /* the reason, if device is NULL */
} GstGlesCandidate;

/* Opens every candidate: (transfer full) (element-type GstGlesCandidate). For gst-gles-info-1.0. */
GArray *gst_gles_candidates_probe (void);

#endif
