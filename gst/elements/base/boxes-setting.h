/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The properties of elements that read boxes of elements upstream. */
#ifndef BOXES_SETTING_H
#define BOXES_SETTING_H

#include "boxes.h"

G_BEGIN_DECLS

/* Return the properties `boxes`, an enum of BoxesSource, and `box-type`, a string. @what: what
 * becomes of the boxes, the beginning of the blurb. */
GParamSpec *boxes_spec (const gchar *what, BoxesSource initial);
GParamSpec *boxes_type_spec (void);

G_END_DECLS

#endif
