/*
 * Faults of the machine, for the process that preloads this: at the nth call that changes a file under one directory the
 * process dies, the write is torn, the disk fails or is full, or the power goes and takes with it what was not synced.
 *
 * It is driven through rmdir() of paths that cannot exist, because that is a call that Node makes at once and on its main
 * thread:
 *   shim:fork                                     the caller becomes a child; the parent waits for it, then writes one line
 *                                                 to standard output: wait status, calls counted, faults met, the last of them
 *   shim:arm\nROOT\nLOST\nSEED\nSECONDS\nPLAN     in the child: watch ROOT; LOST takes what a loss of power takes away
 *   shim:exit/CODE                                in the child: the end of the process
 * PLAN is a list such as `eio@12,power@end`: mode@n with n counted from 1, or `end`; `+` after n means from then on.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "power.h"

enum mode { KILL, TORN, POWER, EIO_MODE, ENOSPC_MODE };
enum sort { GROWS, SHRINKS, SYNCS }; /* what a call does to the disk: only what grows finds it full */

struct fault {
  enum mode mode;
  long at; /* LONG_MAX: when the process ends */
  int forever;
};

/* Read by the parent when the child is dead. */
struct shared {
  long calls, met;
  char what[PATH_MAX];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct shared *shared;
static char root[PATH_MAX];
static struct fault faults[8];
static int faults_count, armed;

static int is_under(const char *path) {
  size_t length = strlen(root);
  return strncmp(path, root, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

/* The absolute path, without following the last part; the program names its files absolutely, and only those matter. */
static int is_watched_path(const char *path) { return armed && path[0] == '/' && is_under(path); }

static int path_of(int fd, char *path) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, PATH_MAX - 1);
  if (length < 0) return 0;
  path[length] = '\0';
  return 1;
}

static int is_watched(int fd, char *path) { return armed && path_of(fd, path) && is_under(path); }

static ino_t inode_of_folder(const char *path) {
  char folder[PATH_MAX];
  struct stat found;
  snprintf(folder, sizeof folder, "%s", path);
  *strrchr(folder, '/') = '\0';
  return stat(folder, &found) == 0 ? found.st_ino : 0;
}

/* ---- counting ---- */

static void die(void) {
  for (;;) kill(getpid(), SIGKILL);
}

static const struct fault *met(const char *call, const char *path, enum sort sort) {
  shared->calls += 1;
  for (int at = 0; at < faults_count; at += 1) {
    const struct fault *fault = &faults[at];
    if (fault->at != shared->calls && !(fault->forever && fault->at < shared->calls)) continue;
    if (fault->mode == ENOSPC_MODE && (sort == SHRINKS || (fault->forever && sort == SYNCS))) continue;
    if (shared->met++ == 0) snprintf(shared->what, sizeof shared->what, "%s %.3900s", call, path + strlen(root));
    return fault;
  }
  return NULL;
}

/*
 * Counts a call. Returns 0 when it is to be made, else -1 with errno set.
 * `half` makes the first half of a write; NULL where there is none.
 */
static int is_refused(const char *call, const char *path, enum sort sort, void (*half)(void *), void *given) {
  const struct fault *fault = met(call, path, sort);
  if (fault == NULL) return 0;
  switch (fault->mode) {
    case TORN:
      if (half != NULL) half(given);
      die();
      break;
    case POWER:
      lose_power();
      die();
      break;
    case KILL:
      die();
      break;
    default:
      errno = fault->mode == EIO_MODE ? EIO : ENOSPC;
  }
  return -1;
}

/* ---- writes ---- */

struct writing {
  int fd;
  const struct iovec *parts;
  int count;
  off_t at; /* -1: where the file stands */
  size_t length;
};

static int own_descriptor(int fd) {
  struct stat wanted, found;
  fstat(fd, &wanted);
  for (struct change *change = last; change != NULL; change = change->before) {
    if (is_content(change) && change->where == wanted.st_ino && fstat(change->fd, &found) == 0 && found.st_ino == wanted.st_ino)
      return change->fd;
  }
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  /* Never closed: closing it would let go of the locks that the process has on the file. */
  return REAL(int, open64, const char *, int, ...)(link, O_RDWR | O_CLOEXEC);
}

static off_t place_of(const struct writing *writing) {
  if (writing->at >= 0) return writing->at;
  struct stat found;
  if ((fcntl(writing->fd, F_GETFL) & O_APPEND) && fstat(writing->fd, &found) == 0) return found.st_size;
  return lseek(writing->fd, 0, SEEK_CUR);
}

/* Notes what `length` bytes at `at` are now; `finish_write` notes what they have become. */
static struct change *begin_write(int fd, off_t at, size_t length) {
  struct stat found;
  fstat(fd, &found);
  int own = own_descriptor(fd);
  struct change *change = record(WRITE);
  change->where = found.st_ino;
  change->fd = own;
  change->at = at;
  change->before_size = found.st_size;
  change->old = malloc(length + 1);
  ssize_t had = pread(own, change->old, length, at);
  change->old_length = had > 0 ? (size_t)had : 0;
  return change;
}

static void finish_write(struct change *change, ssize_t written) {
  struct stat found;
  fstat(change->fd, &found);
  change->after_size = found.st_size;
  change->new_length = written > 0 ? (size_t)written : 0;
  change->new = malloc(change->new_length + 1);
  if (pread(change->fd, change->new, change->new_length, change->at) != (ssize_t)change->new_length) abort();
}

static ssize_t do_write(const struct writing *writing) {
  if (writing->at >= 0)
    return REAL(ssize_t, pwritev64, int, const struct iovec *, int, off_t)(writing->fd, writing->parts, writing->count, writing->at);
  return REAL(ssize_t, writev, int, const struct iovec *, int)(writing->fd, writing->parts, writing->count);
}

static void write_half(void *given) {
  const struct writing *writing = given;
  size_t left = writing->length / 2;
  for (int at = 0; at < writing->count && left > 0; at += 1) {
    struct iovec part = writing->parts[at];
    if (part.iov_len > left) part.iov_len = left;
    struct writing piece = {writing->fd, &part, 1, writing->at < 0 ? -1 : writing->at + (off_t)(writing->length / 2 - left), 0};
    do_write(&piece);
    left -= part.iov_len;
  }
}

static ssize_t watched_write(const char *call, const char *path, struct writing *writing) {
  pthread_mutex_lock(&lock);
  for (int at = 0; at < writing->count; at += 1) writing->length += writing->parts[at].iov_len;
  ssize_t written = is_refused(call, path, GROWS, write_half, writing);
  if (written == 0) {
    struct change *change = begin_write(writing->fd, place_of(writing), writing->length);
    written = do_write(writing);
    int why = errno;
    finish_write(change, written);
    errno = why;
  }
  pthread_mutex_unlock(&lock);
  return written;
}

ssize_t write(int fd, const void *bytes, size_t length) {
  char path[PATH_MAX];
  if (!is_watched(fd, path)) return REAL(ssize_t, write, int, const void *, size_t)(fd, bytes, length);
  struct iovec part = {(void *)bytes, length};
  struct writing writing = {fd, &part, 1, -1, 0};
  return watched_write("write", path, &writing);
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
  char path[PATH_MAX];
  if (!is_watched(fd, path)) return REAL(ssize_t, writev, int, const struct iovec *, int)(fd, parts, count);
  struct writing writing = {fd, parts, count, -1, 0};
  return watched_write("writev", path, &writing);
}

ssize_t pwrite64(int fd, const void *bytes, size_t length, off_t at) {
  char path[PATH_MAX];
  if (!is_watched(fd, path)) return REAL(ssize_t, pwrite64, int, const void *, size_t, off_t)(fd, bytes, length, at);
  struct iovec part = {(void *)bytes, length};
  struct writing writing = {fd, &part, 1, at, 0};
  return watched_write("pwrite", path, &writing);
}

ssize_t pwritev64(int fd, const struct iovec *parts, int count, off_t at) {
  char path[PATH_MAX];
  if (!is_watched(fd, path))
    return REAL(ssize_t, pwritev64, int, const struct iovec *, int, off_t)(fd, parts, count, at);
  struct writing writing = {fd, parts, count, at, 0};
  return watched_write("pwritev", path, &writing);
}

struct sending {
  int to, from;
  off_t *at;
  size_t length;
};

static ssize_t do_send(const struct sending *sending, size_t length) {
  return REAL(ssize_t, sendfile64, int, int, off_t *, size_t)(sending->to, sending->from, sending->at, length);
}

static void send_half(void *given) {
  const struct sending *sending = given;
  do_send(sending, sending->length / 2);
}

ssize_t sendfile64(int to, int from, off_t *at, size_t length) {
  char path[PATH_MAX];
  struct sending sending = {to, from, at, length};
  if (!is_watched(to, path)) return do_send(&sending, length);
  pthread_mutex_lock(&lock);
  ssize_t sent = is_refused("sendfile", path, GROWS, send_half, &sending);
  if (sent == 0) {
    struct change *change = begin_write(to, lseek(to, 0, SEEK_CUR), length);
    sent = do_send(&sending, length);
    int why = errno;
    finish_write(change, sent);
    errno = why;
  }
  pthread_mutex_unlock(&lock);
  return sent;
}

/* Node copies files with a call that has no name of its own; without it, it uses sendfile. */
long syscall(long number, ...) {
  va_list list;
  va_start(list, number);
  long given[6];
  for (int at = 0; at < 6; at += 1) given[at] = va_arg(list, long);
  va_end(list);
  char path[PATH_MAX];
  if (number == SYS_copy_file_range && is_watched((int)given[2], path)) {
    errno = ENOSYS;
    return -1;
  }
  return REAL(long, syscall, long, ...)(number, given[0], given[1], given[2], given[3], given[4], given[5]);
}

int ftruncate64(int fd, off_t size) {
  char path[PATH_MAX];
  if (!is_watched(fd, path)) return truncate_to(fd, size);
  pthread_mutex_lock(&lock);
  int result = is_refused("ftruncate", path, SHRINKS, NULL, NULL);
  if (result == 0) {
    struct stat found;
    fstat(fd, &found);
    off_t cut = found.st_size > size ? found.st_size - size : 0;
    struct change *change = begin_write(fd, size, (size_t)cut);
    change->kind = TRUNCATE;
    change->after_size = size;
    result = truncate_to(fd, size);
  }
  pthread_mutex_unlock(&lock);
  return result;
}

/* ---- syncs ---- */

static int watched_sync(const char *call, int fd) {
  int (*sync)(int) = real(call);
  char path[PATH_MAX];
  if (!is_watched(fd, path)) return sync(fd);
  pthread_mutex_lock(&lock);
  int result = is_refused(call, path, SYNCS, NULL, NULL);
  int why = errno;
  /* The file system under the tests is in memory: there is nothing to wait for. */
  settle(fd, result != 0);
  errno = why;
  pthread_mutex_unlock(&lock);
  return result;
}

int fsync(int fd) { return watched_sync("fsync", fd); }

int fdatasync(int fd) { return watched_sync("fdatasync", fd); }

/* ---- names ---- */

int open64(const char *path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  mode_t mode = flags & O_CREAT ? va_arg(list, mode_t) : 0;
  va_end(list);
  int (*real_open)(const char *, int, ...) = real("open64");
  if (!(flags & (O_CREAT | O_TRUNC)) || !is_watched_path(path)) return real_open(path, flags, mode);
  pthread_mutex_lock(&lock);
  int is_new = access(path, F_OK) != 0;
  int fd = -1;
  /* Nothing empties a file so; it would have to be noted like ftruncate. */
  if (!is_new && (flags & O_TRUNC) && !(flags & O_EXCL)) errno = ENOTSUP;
  else if (!is_new) fd = real_open(path, flags, mode);
  else if (is_refused("open", path, GROWS, NULL, NULL) == 0) {
    fd = real_open(path, flags, mode);
    if (fd >= 0) {
      struct change *change = record(CREATE);
      change->where = inode_of_folder(path);
      keep_path(change->to, path);
    }
  }
  pthread_mutex_unlock(&lock);
  return fd;
}

int unlink(const char *path) {
  int (*real_unlink)(const char *) = real("unlink");
  if (!is_watched_path(path) || access(path, F_OK) != 0) return real_unlink(path);
  pthread_mutex_lock(&lock);
  int result = is_refused("unlink", path, SHRINKS, NULL, NULL);
  if (result == 0) {
    struct change *change = record(UNLINK);
    change->where = inode_of_folder(path);
    keep_path(change->to, path);
    save(change, path);
    result = real_unlink(path);
    if (result != 0) change->gone = 1;
  }
  pthread_mutex_unlock(&lock);
  return result;
}

int rename(const char *from, const char *to) {
  int (*real_rename)(const char *, const char *) = real("rename");
  if (!is_watched_path(to)) return real_rename(from, to);
  pthread_mutex_lock(&lock);
  int result = is_refused("rename", to, GROWS, NULL, NULL);
  if (result == 0) {
    struct change *change = record(RENAME);
    change->where = inode_of_folder(to);
    change->other = inode_of_folder(from);
    keep_path(change->from, from);
    keep_path(change->to, to);
    save(change, to);
    result = real_rename(from, to);
    if (result != 0) change->gone = 1;
  }
  pthread_mutex_unlock(&lock);
  return result;
}

int mkdir(const char *path, mode_t mode) {
  int (*real_mkdir)(const char *, mode_t) = real("mkdir");
  if (!is_watched_path(path) || access(path, F_OK) == 0) return real_mkdir(path, mode);
  pthread_mutex_lock(&lock);
  int result = is_refused("mkdir", path, GROWS, NULL, NULL);
  if (result == 0) {
    struct change *change = record(MKDIR);
    change->where = inode_of_folder(path);
    keep_path(change->to, path);
    result = real_mkdir(path, mode);
    if (result != 0) change->gone = 1;
  }
  pthread_mutex_unlock(&lock);
  return result;
}

static int watched_rmdir(const char *path) {
  pthread_mutex_lock(&lock);
  int result = is_refused("rmdir", path, SHRINKS, NULL, NULL);
  if (result == 0) {
    struct change *change = record(RMDIR);
    change->where = inode_of_folder(path);
    keep_path(change->to, path);
    result = REAL(int, rmdir, const char *)(path);
    if (result != 0) change->gone = 1;
  }
  pthread_mutex_unlock(&lock);
  return result;
}

/* ---- commands ---- */

/* The engine of JavaScript asks for its memory not to be given to children; here they need it. */
int madvise(void *start, size_t length, int advice) {
  if (advice == MADV_DONTFORK) return 0;
  return REAL(int, madvise, void *, size_t, int)(start, length, advice);
}

static int become_child(void) {
  if (shared == NULL) shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  memset(shared, 0, sizeof *shared);
  pid_t child = fork();
  if (child == 0) {
    void *(*loop)(void) = dlsym(RTLD_DEFAULT, "uv_default_loop");
    int (*renew)(void *) = dlsym(RTLD_DEFAULT, "uv_loop_fork");
    if (loop == NULL || renew == NULL || renew(loop()) != 0) _exit(70);
    return 0;
  }
  int status;
  waitpid(child, &status, 0);
  char line[PATH_MAX + 64];
  int length = snprintf(line, sizeof line, "%d %ld %ld %s\n", status, shared->calls, shared->met, shared->what);
  if (REAL(ssize_t, write, int, const void *, size_t)(1, line, length) != length) abort();
  errno = EEXIST;
  return -1;
}

static enum mode mode_of(const char *name) {
  static const char *const names[] = {"kill", "torn", "power", "eio", "enospc"};
  for (int at = 0; at < 5; at += 1) {
    if (strcmp(name, names[at]) == 0) return (enum mode)at;
  }
  abort();
}

static void plan(char *text) {
  char *rest;
  for (char *item = strtok_r(text, ",", &rest); item != NULL; item = strtok_r(NULL, ",", &rest)) {
    char *at = strchr(item, '@');
    if (at == NULL || faults_count == 8) abort();
    *at = '\0';
    struct fault *fault = &faults[faults_count++];
    fault->mode = mode_of(item);
    fault->at = strcmp(at + 1, "end") == 0 ? LONG_MAX : atol(at + 1);
    fault->forever = strchr(at + 1, '+') != NULL;
  }
}

static int arm(const char *command) {
  char text[PATH_MAX], *rest;
  snprintf(text, sizeof text, "%s", command);
  strtok_r(text, "\n", &rest);
  keep_path(root, strtok_r(NULL, "\n", &rest));
  keep_path(lost, strtok_r(NULL, "\n", &rest));
  chance = (uint32_t)strtoul(strtok_r(NULL, "\n", &rest), NULL, 10) * 2654435761u | 1;
  alarm((unsigned)atoi(strtok_r(NULL, "\n", &rest)));
  char *faulty = strtok_r(NULL, "\n", &rest);
  if (faulty != NULL) plan(faulty);
  armed = 1;
  return 0;
}

static int end(int code) {
  pthread_mutex_lock(&lock);
  for (int at = 0; at < faults_count; at += 1) {
    if (faults[at].mode == POWER && faults[at].at == LONG_MAX) lose_power();
  }
  /* Without the ways of an ordinary exit: they would wait for threads that only the parent has. */
  _exit(code);
}

int rmdir(const char *path) {
  if (strncmp(path, "shim:fork", 9) == 0) return become_child();
  if (strncmp(path, "shim:arm", 8) == 0) return arm(path);
  if (strncmp(path, "shim:exit/", 10) == 0) return end(atoi(path + 10));
  return is_watched_path(path) ? watched_rmdir(path) : REAL(int, rmdir, const char *)(path);
}
