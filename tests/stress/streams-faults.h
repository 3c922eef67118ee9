/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* An OpenGL ES driver that runs out of memory when a test asks for it. */
#ifndef STREAMS_FAULTS_H
#define STREAMS_FAULTS_H

#include <glib.h>

/* The next submission that copies at least @size_bytes from one buffer to another at once fails
 * with GL_OUT_OF_MEMORY. */
void streams_fail_next_copy (gsize size_bytes);

/* Whether it has come. */
gboolean streams_copy_failed (void);

#endif
