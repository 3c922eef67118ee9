/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Whether a device can run the sort that GST_GLES_SORT_VARIANT names: subgroups are not
 * everywhere. */
#ifndef SORT_SKIP_H
#define SORT_SKIP_H

#include <gst/gles/algo/sort/sort-private.h>

/* Also TRUE for a variant that means nothing: the tests shall fail on it. */
static inline gboolean
sort_variant_runs (GstGlesDevice *device)
{
  const GstGlesLimits *limits = gst_gles_device_get_limits (device);
  GstGlesSortVariant variant;

  if (!gst_gles_sort_variant_parse (g_getenv ("GST_GLES_SORT_VARIANT"), &variant, NULL))
    return TRUE;
  return variant.match != GST_GLES_SORT_BALLOT || limits->subgroup_size != 0;
}

#endif
