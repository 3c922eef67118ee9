/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Preloaded, sends the process a signal while it reads its command line: the number that the
 * environment variable EARLY_SIGNAL has. */
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>

#include <gst/gst.h>

GOptionGroup *
gst_init_get_option_group (void)
{
  GOptionGroup *(*real) (void) = dlsym (RTLD_NEXT, "gst_init_get_option_group");

  raise (atoi (getenv ("EARLY_SIGNAL")));
  return real ();
}
