/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Compiled once for each library and program, because these headers take half of the time to
 * compile. Sources include what they need all the same, and -Db_pch=false builds without it. */
#include <gio/gio.h>
#include <gst/gst.h>
#include <gst/video/video.h>
