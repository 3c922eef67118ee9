/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Members of the page's data, which are JSON. Each function writes @before, such as the name of a
 * member, and then the value. */
#ifndef REPORT_MODEL_PAGE_TEXT_H
#define REPORT_MODEL_PAGE_TEXT_H

#include <gst/gst.h>

G_BEGIN_DECLS

void report_append_text (GString *page, const gchar *before, const gchar *text);
void report_append_seconds (GString *page, const gchar *before, GstClockTime time);
/* @before includes the quotation mark. */
void report_append_base64 (GString *page, const gchar *before, gconstpointer data, gsize size);
/* Writes a member "src". */
void report_append_picture (GString *page, GBytes *jpeg);

G_END_DECLS

#endif
