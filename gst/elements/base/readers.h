/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Who downstream reads which results on the host: an analyser asks, and the elements of this plugin
 * answer, so that it reads ahead what will be read and leaves the rest on the device. Other
 * elements pass the question on; what they read is read late. */
#ifndef GST_GLES_READERS_H
#define GST_GLES_READERS_H

#include <gst/gst.h>

#include <gst/gles/device/device.h>

#include "results.h"

G_BEGIN_DECLS

/* Asks downstream of @src which results elements read on the host, of an analyser on @device.
 * Thread: the streaming one. */
ResultsParts readers_ask (GstPad *src, GstGlesDevice *device);

/* Whether @query is the question. *@device (nullable, transfer none): the device of who asks. */
gboolean readers_is_question (GstQuery *query, GstGlesDevice **device);
/* Adds @parts to the answer if @query is the question. The query must be passed on then, and what
 * downstream returns be returned: nobody returns TRUE, at which a tee would stop. Thread: any. */
void readers_answer (GstQuery *query, ResultsParts parts);

G_END_DECLS

#endif
