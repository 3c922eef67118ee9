/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* GstAutoplugSelectResult of decodebin, which has no header. */
#ifndef AUTOPLUG_H
#define AUTOPLUG_H

enum {
  AUTOPLUG_TRY = 0,
  AUTOPLUG_SKIP = 2,
};

#endif
