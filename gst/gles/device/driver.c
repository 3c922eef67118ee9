/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <string.h>

#include <gst/gles/device/driver.h>

/* A turn is shorter than the time in which a sleeping thread wakes up. */
#define SPIN_US 200

static GMutex turn;

static gboolean
takes_turns (const GstGlesShare *share)
{
#ifdef GST_GLES_TEST_HOOKS
  if (g_getenv ("GST_GLES_TURNS") != NULL)
    return TRUE;
#endif
  /* a software renderer works inside its calls: its devices would work one after the other */
  return share->kind == GST_GLES_DEVICE_HARDWARE &&
      strstr (share->display->vendor, "NVIDIA") != NULL;
}

void
gst_gles_driver_probe (GstGlesShare *share)
{
  share->takes_turns = takes_turns (share);
}

void
gst_gles_driver_enter (GstGlesShare *share)
{
  gint64 end_us = 0;

  if (!share->takes_turns)
    return;
  while (!g_mutex_trylock (&turn)) {
    const gint64 now_us = g_get_monotonic_time ();

    if (end_us == 0) {
      end_us = now_us + SPIN_US;
    } else if (now_us >= end_us) {
      g_mutex_lock (&turn);
      return;
    }
  }
}

void
gst_gles_driver_leave (GstGlesShare *share)
{
  if (share->takes_turns)
    g_mutex_unlock (&turn);
}
