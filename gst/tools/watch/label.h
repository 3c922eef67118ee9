/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Labels of Prometheus. */
#ifndef WATCH_LABEL_H
#define WATCH_LABEL_H

#include <glib.h>

G_BEGIN_DECLS

/* Returns @text as the value of a label, without quotation marks: (transfer full). */
gchar *watch_label_escape (const gchar *text);

G_END_DECLS

#endif
