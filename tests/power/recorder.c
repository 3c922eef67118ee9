/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Loaded before the C library, writes down what a program and its children do to the files below
 * the folder POWER_TOP: one line for each call, with tabs between, in the file POWER_LOG. disk.py
 * reads it. A call is written down when it has returned, so what counts as synced was. */
#undef _FILE_OFFSET_BITS /* which makes open() another name of open64() */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define EXPORT __attribute__ ((visibility ("default")))
/* what the C library has behind this one */
#define NEXT(name) ((__typeof__ (&name)) dlsym (RTLD_NEXT, #name))

/* Writes the path below POWER_TOP to @below: 0: it is elsewhere. */
static int
strip_top (const char *path, char *below)
{
  const char *top = getenv ("POWER_TOP");
  const size_t length = top != NULL ? strlen (top) : 0;

  if (length == 0 || strncmp (path, top, length) != 0 ||
      (path[length] != '/' && path[length] != '\0'))
    return 0;
  snprintf (below, PATH_MAX, "%s", path[length] == '/' ? path + length + 1 : ".");
  return 1;
}

static int
find_open (int fd, char *below)
{
  char link[64], path[PATH_MAX];
  ssize_t n;

  snprintf (link, sizeof link, "/proc/self/fd/%d", fd);
  n = readlink (link, path, sizeof path - 1);
  if (n < 0)
    return 0;
  path[n] = '\0';
  return strip_top (path, below);
}

/* The same of a name, whose folder exists. */
static int
find_name (int at, const char *name, char *below)
{
  char path[2 * PATH_MAX], folder[PATH_MAX], real[PATH_MAX], *slash;

  if (name[0] == '/')
    snprintf (path, sizeof path, "%s", name);
  else if (at == AT_FDCWD)
    snprintf (path, sizeof path, "./%s", name);
  else
    snprintf (path, sizeof path, "/proc/self/fd/%d/%s", at, name);
  slash = strrchr (path, '/');
  snprintf (folder, sizeof folder, "%.*s", (int) (slash > path ? slash - path : 1), path);
  if (realpath (folder, real) == NULL)
    return 0;
  snprintf (path, sizeof path, "%s/%s", real, strrchr (name, '/') ? strrchr (name, '/') + 1 : name);
  return strip_top (path, below);
}

static void
note (const char *format, ...)
{
  static int log = -1;
  char line[3 * PATH_MAX];
  va_list arguments;
  int n;

  if (log < 0)
    log = NEXT (open) (getenv ("POWER_LOG"), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  va_start (arguments, format);
  n = vsnprintf (line, sizeof line, format, arguments);
  va_end (arguments);
  if (NEXT (write) (log, line, (size_t) n) != n)
    abort ();
}

/* Notes the bytes that are now at @offset of @fd. */
static void
note_data (int fd, off_t offset, const char *data, size_t size)
{
  static const size_t max = 4096;
  char hex[2 * 4096 + 1];
  struct stat status;

  fstat (fd, &status);
  for (size_t done = 0; done < size;) {
    const size_t n = size - done < max ? size - done : max;

    for (size_t i = 0; i < n; i++)
      snprintf (hex + 2 * i, 3, "%02x", (unsigned char) data[done + i]);
    note ("write\t%lu\t%lld\t%ld%09ld\t%s\n", (unsigned long) status.st_ino,
        (long long) offset + (long long) done, (long) status.st_mtim.tv_sec,
        (long) status.st_mtim.tv_nsec, hex);
    done += n;
  }
}

static void
note_fd (const char *call, int fd)
{
  struct stat status;
  char below[PATH_MAX];
  const int code = errno;

  if (find_open (fd, below) && fstat (fd, &status) == 0)
    note ("%s\t%lu\t%lld\t%ld%09ld\n", call, (unsigned long) status.st_ino,
        (long long) status.st_size, (long) status.st_mtim.tv_sec, (long) status.st_mtim.tv_nsec);
  errno = code;
}

/* Notes what an open() did that has @fd, of a name that @existed before. */
static int
opened (int fd, int at, const char *name, int flags, int existed)
{
  char below[PATH_MAX];
  struct stat status;
  const int code = errno;

  if (fd >= 0 && (flags & O_CREAT) && !existed && find_name (at, name, below) &&
      fstat (fd, &status) == 0)
    note ("create\t%lu\t%s\n", (unsigned long) status.st_ino, below);
  else if (fd >= 0 && (flags & O_TRUNC))
    note_fd ("truncate", fd);
  errno = code;
  return fd;
}

#define OPEN(call, at, name, ...)                                                                  \
  va_list arguments;                                                                               \
  unsigned mode;                                                                                   \
  int existed;                                                                                     \
  va_start (arguments, flags);                                                                     \
  mode = flags & O_CREAT ? va_arg (arguments, unsigned) : 0;                                       \
  va_end (arguments);                                                                              \
  existed = faccessat (at, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0;                                  \
  return opened (NEXT (call) (__VA_ARGS__, mode), at, name, flags, existed)

EXPORT int
open (const char *name, int flags, ...)
{
  OPEN (open, AT_FDCWD, name, name, flags);
}

EXPORT int
open64 (const char *name, int flags, ...)
{
  OPEN (open64, AT_FDCWD, name, name, flags);
}

EXPORT int
openat (int at, const char *name, int flags, ...)
{
  OPEN (openat, at, name, at, name, flags);
}

EXPORT int
openat64 (int at, const char *name, int flags, ...)
{
  OPEN (openat64, at, name, at, name, flags);
}

EXPORT ssize_t
write (int fd, const void *data, size_t size)
{
  const ssize_t n = NEXT (write) (fd, data, size);
  const int code = errno;
  char below[PATH_MAX];

  if (n > 0 && find_open (fd, below))
    note_data (fd, lseek (fd, 0, SEEK_CUR) - n, data, (size_t) n);
  errno = code;
  return n;
}

EXPORT ssize_t
writev (int fd, const struct iovec *pieces, int n_pieces)
{
  ssize_t all = 0;

  for (int i = 0; i < n_pieces; i++) {
    const ssize_t n = write (fd, pieces[i].iov_base, pieces[i].iov_len);

    if (n < 0)
      return all > 0 ? all : -1;
    all += n;
    if ((size_t) n < pieces[i].iov_len)
      break;
  }
  return all;
}

EXPORT ssize_t
pwrite (int fd, const void *data, size_t size, off_t offset)
{
  const ssize_t n = NEXT (pwrite) (fd, data, size, offset);
  const int code = errno;
  char below[PATH_MAX];

  if (n > 0 && find_open (fd, below))
    note_data (fd, offset, data, (size_t) n);
  errno = code;
  return n;
}

EXPORT ssize_t
pwrite64 (int fd, const void *data, size_t size, off64_t offset)
{
  return pwrite (fd, data, size, offset);
}

EXPORT int
ftruncate (int fd, off_t size)
{
  const int result = NEXT (ftruncate) (fd, size);

  if (result == 0)
    note_fd ("truncate", fd);
  return result;
}

EXPORT int
ftruncate64 (int fd, off64_t size)
{
  return ftruncate (fd, size);
}

EXPORT int
fsync (int fd)
{
  const int result = NEXT (fsync) (fd);

  if (result == 0)
    note_fd ("sync", fd);
  return result;
}

EXPORT int
fdatasync (int fd)
{
  const int result = NEXT (fdatasync) (fd);

  if (result == 0)
    note_fd ("sync", fd);
  return result;
}

EXPORT int
renameat (int from_at, const char *from, int to_at, const char *to)
{
  const int result = NEXT (renameat) (from_at, from, to_at, to);
  const int code = errno;
  char below_from[PATH_MAX], below_to[PATH_MAX];

  if (result == 0 && find_name (from_at, from, below_from) && find_name (to_at, to, below_to))
    note ("rename\t%s\t%s\n", below_from, below_to);
  errno = code;
  return result;
}

EXPORT int
rename (const char *from, const char *to)
{
  return renameat (AT_FDCWD, from, AT_FDCWD, to);
}

EXPORT int
unlinkat (int at, const char *name, int flags)
{
  char below[PATH_MAX];
  const int known = find_name (at, name, below);
  const int result = NEXT (unlinkat) (at, name, flags);
  const int code = errno;

  if (result == 0 && known)
    note ("unlink\t%s\n", below);
  errno = code;
  return result;
}

EXPORT int
unlink (const char *name)
{
  return unlinkat (AT_FDCWD, name, 0);
}

EXPORT int
rmdir (const char *name)
{
  return unlinkat (AT_FDCWD, name, AT_REMOVEDIR);
}

EXPORT int
mkdirat (int at, const char *name, mode_t mode)
{
  const int result = NEXT (mkdirat) (at, name, mode);
  const int code = errno;
  char below[PATH_MAX];
  struct stat status;

  if (result == 0 && find_name (at, name, below) && fstatat (at, name, &status, 0) == 0)
    note ("mkdir\t%lu\t%s\n", (unsigned long) status.st_ino, below);
  errno = code;
  return result;
}

EXPORT int
mkdir (const char *name, mode_t mode)
{
  return mkdirat (AT_FDCWD, name, mode);
}
