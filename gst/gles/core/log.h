/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The library's debug categories: `gles` for messages of the library, `gles-driver` for messages
 * that the driver sends through KHR_debug. A file that logs defines GST_CAT_DEFAULT as one of
 * them. */
#ifndef GST_GLES_LOG_H
#define GST_GLES_LOG_H

#include <gst/gst.h>

#define GST_GLES_CAT (gst_gles_log_category ())
#define GST_GLES_CAT_DRIVER (gst_gles_log_driver_category ())

/* Thread: any. */
GstDebugCategory *gst_gles_log_category (void);
GstDebugCategory *gst_gles_log_driver_category (void);

#endif
