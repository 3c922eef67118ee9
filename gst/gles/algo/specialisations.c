/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <gst/gles/algo/histogram-private.h>
#include <gst/gles/algo/specialisations.h>

void
gst_gles_specialisations_foreach (GstGlesSpecialisationFunc func, gpointer user_data)
{
  gst_gles_histogram_specialisations (func, user_data);
}
