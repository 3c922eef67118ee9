/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_GLES_ERROR_H
#define GST_GLES_ERROR_H

#include <gst/gles/core/prelude.h>

G_BEGIN_DECLS

#define GST_GLES_ERROR (gst_gles_error_quark ())

/**
 * GstGlesError:
 * @GST_GLES_ERROR_FAILED: an error without a code of its own; the message describes it
 * @GST_GLES_ERROR_SETTINGS: a word, number or region that is not valid here
 * @GST_GLES_ERROR_NOT_FOUND: the named device does not exist
 * @GST_GLES_ERROR_OPEN: the node exists but cannot be opened (permission, or not a GPU)
 * @GST_GLES_ERROR_INIT: no EGL, no OpenGL ES 3.1, or the driver refused a context
 * @GST_GLES_ERROR_DEVICE_LOST: the device was reset or removed; make a new one
 * @GST_GLES_ERROR_TOO_LARGE: more than the device, or the plan's capacity, can hold
 * @GST_GLES_ERROR_NO_MEMORY: the device or the host is out of memory
 * @GST_GLES_ERROR_COMPILE: a shader did not compile or link; the message holds the log
 * @GST_GLES_ERROR_INVALID: an argument that the call cannot use, such as another device's buffer
 * @GST_GLES_ERROR_TIMEOUT: the result was not ready in time
 * @GST_GLES_ERROR_CANCELLED: a flush discarded the work before its result was read
 * @GST_GLES_ERROR_BAD_FRAME: a buffer that is too short for its caps, cannot be mapped, or whose
 *     metadata contradicts it
 * @GST_GLES_ERROR_OUTSIDE: a region that leaves the frame, or a grid that is finer than its pixels
 *
 * Kinds of failure, divided by what the caller can do about each.
 *
 * Since: 0.1
 */
typedef enum {
  GST_GLES_ERROR_FAILED,
  GST_GLES_ERROR_SETTINGS,
  GST_GLES_ERROR_NOT_FOUND,
  GST_GLES_ERROR_OPEN,
  GST_GLES_ERROR_INIT,
  GST_GLES_ERROR_DEVICE_LOST,
  GST_GLES_ERROR_TOO_LARGE,
  GST_GLES_ERROR_NO_MEMORY,
  GST_GLES_ERROR_COMPILE,
  GST_GLES_ERROR_INVALID,
  GST_GLES_ERROR_TIMEOUT,
  GST_GLES_ERROR_CANCELLED,
  GST_GLES_ERROR_BAD_FRAME,
  GST_GLES_ERROR_OUTSIDE
} GstGlesError;

GST_GLES_API GQuark gst_gles_error_quark (void);

/**
 * gst_gles_error_post:
 * @element: where the error happened
 * @error: what happened; of any domain
 *
 * Posts @error on the bus as an element error in the GStreamer domain and code that fit it
 * (RESOURCE/SETTINGS, RESOURCE/NOT_FOUND, RESOURCE/OPEN_READ_WRITE, LIBRARY/INIT, ...), with the
 * message of @error as its text. The log of a shader that does not compile is followed by advice
 * for the user.
 *
 * Thread: any. Does not wait.
 *
 * Since: 0.1
 */
GST_GLES_API void gst_gles_error_post (GstElement *element, const GError *error);

G_END_DECLS

#endif
