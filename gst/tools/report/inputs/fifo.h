/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Videos that come through a FIFO. */
#ifndef REPORT_INPUTS_FIFO_H
#define REPORT_INPUTS_FIFO_H

#include <gst/gst.h>

G_BEGIN_DECLS

gboolean report_is_fifo (const gchar *path);
/* Has @source, an fdsrc, read the FIFO @path. Unlike filesrc it does not hang where there is no
 * writer or nothing was written. It names streams as filesrc does. */
gboolean report_open_fifo (GstElement *source, const gchar *path, GError **error);

G_END_DECLS

#endif
