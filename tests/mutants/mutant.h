/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Included first by every file of a build with mutants, which tests/mutants/run makes.
 * GLES_MUTANT: the number of the mutant that is active. GLES_MUTANT_TRACE: a file to which the
 * numbers of the mutants whose code is reached are appended, and the names of the sources of
 * programs, which lie in the folder "sources" beside it. */
#pragma once

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define GLES_MUTANTS 4096

enum {
  GLES_MUTANT_OFF,
  GLES_MUTANT_ON,
  GLES_MUTANT_TRACED
};

/* One per library or program, whatever it links. */
extern unsigned char gles_mutants[GLES_MUTANTS];
__attribute__ ((weak, visibility ("hidden"))) unsigned char gles_mutants[GLES_MUTANTS];

__attribute__ ((unused)) static void
gles_mutant_write (const char *path, int flags, const char *text, size_t n)
{
  int file = open (path, O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0644);

  if (file < 0)
    return;
  while (n > 0) {
    ssize_t written = write (file, text, n);
    if (written <= 0)
      break;
    text += written;
    n -= (size_t) written;
  }
  close (file);
}

__attribute__ ((constructor, unused)) static void
gles_mutants_start (void)
{
  const char *number = getenv ("GLES_MUTANT");

  if (number != NULL && atoi (number) < GLES_MUTANTS)
    gles_mutants[atoi (number)] = GLES_MUTANT_ON;
  for (int i = 0; getenv ("GLES_MUTANT_TRACE") != NULL && i < GLES_MUTANTS; i++)
    gles_mutants[i] = GLES_MUTANT_TRACED;
}

__attribute__ ((unused, noinline, cold)) static int
gles_mutant_is_on (int number)
{
  const char *trace = getenv ("GLES_MUTANT_TRACE");
  char line[16];

  if (gles_mutants[number] == GLES_MUTANT_ON)
    return 1;
  gles_mutants[number] = GLES_MUTANT_OFF;
  if (trace != NULL)
    gles_mutant_write (
        trace, O_APPEND, line, (size_t) snprintf (line, sizeof line, "%d\n", number));
  return 0;
}

#define gles_mutant(number)                                                                        \
  (__builtin_expect (gles_mutants[number] != GLES_MUTANT_OFF, 0) && gles_mutant_is_on (number))

/* Keeps @source, and in its last line the names of @files, in the order of their indices. */
__attribute__ ((unused)) static void
gles_mutant_source (const char *source, void **files, unsigned n_files)
{
  const char *trace = getenv ("GLES_MUTANT_TRACE");
  unsigned long long hash = 0xcbf29ce484222325u;
  char name[32], path[4096];

  if (trace == NULL)
    return;
  for (const char *at = source; *at != '\0'; at++)
    hash = (hash ^ (unsigned char) *at) * 0x100000001b3u;
  gles_mutant_write (
      trace, O_APPEND, name, (size_t) snprintf (name, sizeof name, "s%016llx\n", hash));
  snprintf (path, sizeof path, "%s/sources/%016llx", getenv ("GLES_MUTANT_FOLDER"), hash);
  if (access (path, F_OK) == 0)
    return;
  gles_mutant_write (path, O_TRUNC, source, strlen (source));
  for (unsigned i = 0; i < n_files; i++) {
    gles_mutant_write (path, O_APPEND, i == 0 ? "//" : " ", i == 0 ? 2 : 1);
    gles_mutant_write (path, O_APPEND, (const char *) files[i], strlen ((const char *) files[i]));
  }
}
