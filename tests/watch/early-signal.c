/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Preloaded, sends the process a signal while it reads its command line: the number that the
 * environment variable EARLY_SIGNAL has; FIRST_SIGNAL: before main(), as constructors run. */
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>

#include <gst/gst.h>

static void
send_signal (const gchar *variable)
{
  const gchar *number = getenv (variable);

  if (number != NULL)
    raise (atoi (number));
}

__attribute__ ((constructor)) static void
send_first (void)
{
  send_signal ("FIRST_SIGNAL");
}

GOptionGroup *
gst_init_get_option_group (void)
{
  GOptionGroup *(*real) (void) = dlsym (RTLD_NEXT, "gst_init_get_option_group");

  send_signal ("EARLY_SIGNAL");
  return real ();
}
