/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_GLES_PRELUDE_H
#define GST_GLES_PRELUDE_H

#include <gst/gst.h>

/* The library is built with hidden visibility: only symbols marked GST_GLES_API are exported. */
#ifndef GST_GLES_API
#define GST_GLES_API extern __attribute__ ((visibility ("default")))
#endif

#endif
