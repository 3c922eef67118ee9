/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/gles/cpu/lib/newer.h>

static gboolean
find_out (void)
{
#ifdef GST_GLES_TEST_HOOKS
  if (g_getenv ("GST_GLES_CPU_PLAIN") != NULL)
    return FALSE;
#endif
#if defined(__x86_64__)
  return __builtin_cpu_supports ("avx2") && __builtin_cpu_supports ("bmi") &&
      __builtin_cpu_supports ("popcnt");
#else
  return FALSE;
#endif
}

gboolean
gst_gles_cpu_is_newer (void)
{
  static gsize answer = 0; /* 1: no, 2: yes */

  if (g_once_init_enter (&answer))
    g_once_init_leave (&answer, find_out () ? 2 : 1);
  return answer == 2;
}
