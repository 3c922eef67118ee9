/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <gst/gles/algo/algorithms.h>
#include <gst/gles/algo/specialisations.h>

/* Every algorithm of the table defines NAME_specialisations(). */
#define DECLARE(name) void name##_specialisations (GstGlesSpecialisationFunc, gpointer);
GST_GLES_FOREACH_ALGORITHM (DECLARE)

void
gst_gles_specialisations_foreach (GstGlesSpecialisationFunc func, gpointer user_data)
{
#define VISIT(name) name##_specialisations (func, user_data);
  GST_GLES_FOREACH_ALGORITHM (VISIT)
}
