/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Loaded before the programs of a test that means the shaders (shaders_env in tests/meson.build):
 * the test fails if neither its process nor one that it started dispatched a kernel, because it has
 * then tested native code alone. With GLES_TEST_DEVICE=cpu it may. */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <GLES3/gl31.h>

/* names a file that the first dispatch makes, for the processes that the test starts */
#define VARIABLE "GLES_TEST_DISPATCHED"

static char path[256];
static pid_t judge_pid; /* the process of the test until it is judged; 0 in those that it starts */
static atomic_bool dispatched;

static int
judge (int status)
{
  const char *device = getenv ("GLES_TEST_DEVICE");
  int found;

  if (judge_pid != getpid ())
    return status;
  judge_pid = 0;
  found = unlink (path) == 0;
  if (status != 0 || found || (device != NULL && strcmp (device, "cpu") == 0))
    return status;
  fprintf (stderr, "this test means the shaders, but dispatched none: it ran native code\n");
  return 1;
}

void
_exit (int status)
{
  __typeof__ (_exit) *real = dlsym (RTLD_NEXT, "_exit");

  real (judge (status));
  __builtin_unreachable ();
}

static void
at_exit (int status, void *data)
{
  const int verdict = judge (status);

  if (verdict != status)
    _exit (verdict);
}

__attribute__ ((constructor)) static void
begin (void)
{
  const char *inherited = getenv (VARIABLE);

  snprintf (path, sizeof (path), "/tmp/gles-test-dispatched-%d", (int) getpid ());
  if (inherited == NULL) {
    unlink (path); /* of an earlier process that was killed */
    setenv (VARIABLE, path, 1);
  } else if (strcmp (inherited, path) != 0) {
    snprintf (path, sizeof (path), "%s", inherited);
    return;
  }
  /* The process that the test began, also after an exec(). */
  judge_pid = getpid ();
  on_exit (at_exit, NULL);
}

/* Returns the driver's function. The library is found by its name, since it is not among what
 * follows this one when a plugin brings it. */
static void *
note (const char *name)
{
  if (!atomic_exchange (&dispatched, 1)) {
    const int fd = open (path, O_CREAT | O_WRONLY, 0600);

    if (fd >= 0)
      close (fd);
  }
  return dlsym (dlopen ("libGLESv2.so.2", RTLD_LAZY), name);
}

void
glDispatchCompute (GLuint x, GLuint y, GLuint z)
{
  ((PFNGLDISPATCHCOMPUTEPROC) note ("glDispatchCompute")) (x, y, z);
}

void
glDispatchComputeIndirect (GLintptr offset)
{
  ((PFNGLDISPATCHCOMPUTEINDIRECTPROC) note ("glDispatchComputeIndirect")) (offset);
}
