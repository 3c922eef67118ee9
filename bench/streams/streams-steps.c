/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What streams tell the run that they belong to, and what it waits for. */
#include "streams.h"

void
run_fail (Run *run, GError *error)
{
  g_mutex_lock (&run->lock);
  if (run->error == NULL)
    run->error = error;
  else
    g_clear_error (&error);
  g_atomic_int_set (&run->failed, TRUE);
  g_cond_broadcast (&run->cond);
  g_mutex_unlock (&run->lock);
}

void
run_pass (Run *run, Step step)
{
  g_mutex_lock (&run->lock);
  run->n_passed[step]++;
  run->last_us[step] = g_get_monotonic_time ();
  g_cond_broadcast (&run->cond);
  g_mutex_unlock (&run->lock);
}

void
run_begin (Run *run, Step step)
{
  g_mutex_lock (&run->lock);
  run->n_passed[step] = step == STEP_GO;
  g_cond_broadcast (&run->cond);
  g_mutex_unlock (&run->lock);
}

gboolean
run_wait (Run *run, Step step, guint n, gint64 limit_us)
{
  const gint64 end_us = g_get_monotonic_time () + limit_us;
  gboolean in_time = TRUE, reached;

  g_mutex_lock (&run->lock);
  while (!(reached = n > 0 && run->n_passed[step] >= n) && in_time && !run->failed)
    in_time = g_cond_wait_until (&run->cond, &run->lock, end_us);
  g_mutex_unlock (&run->lock);
  return reached && !g_atomic_int_get (&run->failed);
}
