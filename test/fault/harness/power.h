/*
 * What has changed under the watched directory and is not durable yet, and the loss of power that takes it back: of
 * what was written to a file, any sectors; of the names in a folder, all from some moment on.
 */
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define REAL(type, name, ...) ((type(*)(__VA_ARGS__))real(#name))
#define SECTOR 512

enum kind { WRITE, TRUNCATE, CREATE, UNLINK, RENAME, MKDIR, RMDIR };

/* One change that a loss of power may take back. */
struct change {
  struct change *next, *before; /* in the order of the calls */
  enum kind kind;
  int gone, doomed; /* durable or taken back; a sync of it has failed */
  ino_t where;      /* the file for WRITE and TRUNCATE, else its directory */
  ino_t other;      /* RENAME: the directory that it came from */
  int fd;
  off_t at, before_size, after_size;
  size_t old_length, new_length;
  char *old, *new;
  char from[PATH_MAX], to[PATH_MAX], saved[PATH_MAX];
};

static char lost[PATH_MAX];
static uint32_t chance;
static struct change *first, *last;
static int saved_count;

static void *real(const char *name) {
  void *found = dlsym(RTLD_NEXT, name);
  if (found == NULL) abort();
  return found;
}

static uint32_t below(uint32_t limit) {
  chance ^= chance << 13;
  chance ^= chance >> 17;
  chance ^= chance << 5;
  return chance % limit;
}

static struct change *record(enum kind kind) {
  struct change *change = calloc(1, sizeof *change);
  change->kind = kind;
  change->before = last;
  if (last == NULL) first = change;
  else last->next = change;
  last = change;
  return change;
}

static void keep_path(char *into, const char *path) { snprintf(into, PATH_MAX, "%s", path); }

/* A name under LOST that is not taken. */
static void name_lost(char *path) { snprintf(path, PATH_MAX, "%.3900s/%d-%d", lost, (int)getpid(), saved_count++); }

/* Keeps what has this name, if anything has. */
static void save(struct change *change, const char *path) {
  name_lost(change->saved);
  if (link(path, change->saved) != 0) change->saved[0] = '\0';
}

static void write_all(int fd, const char *bytes, size_t length, off_t at) {
  while (length > 0) {
    ssize_t done = REAL(ssize_t, pwrite64, int, const void *, size_t, off_t)(fd, bytes, length, at);
    if (done <= 0) return;
    bytes += done, length -= done, at += done;
  }
}

static int truncate_to(int fd, off_t size) { return REAL(int, ftruncate64, int, off_t)(fd, size); }

static int is_content(const struct change *change) { return change->kind == WRITE || change->kind == TRUNCATE; }

static void take_back(struct change *change) {
  change->gone = 1;
  int (*real_rename)(const char *, const char *) = real("rename");
  char away[PATH_MAX];
  switch (change->kind) {
    case WRITE:
      write_all(change->fd, change->old, change->old_length, change->at);
      truncate_to(change->fd, change->before_size);
      break;
    case TRUNCATE:
      truncate_to(change->fd, change->before_size);
      write_all(change->fd, change->old, change->old_length, change->at);
      break;
    case CREATE:
    case MKDIR:
      name_lost(away);
      real_rename(change->to, away);
      break;
    case UNLINK:
      if (change->saved[0]) real_rename(change->saved, change->to);
      break;
    case RENAME:
      real_rename(change->to, change->from);
      if (change->saved[0]) real_rename(change->saved, change->to);
      break;
    case RMDIR:
      REAL(int, mkdir, const char *, mode_t)(change->to, 0755);
      break;
  }
}

/* Writes again what the disk has got to; each sector of a write goes its own way. */
static void do_again(const struct change *change, int percent) {
  if (change->kind == TRUNCATE) {
    if ((int)below(100) < percent) truncate_to(change->fd, change->after_size);
    return;
  }
  if (change->after_size > change->before_size && (int)below(100) < percent) truncate_to(change->fd, change->after_size);
  off_t end = change->at + (off_t)change->new_length;
  for (off_t at = change->at; at < end;) {
    off_t next = (at / SECTOR + 1) * SECTOR;
    if (next > end) next = end;
    if ((int)below(100) < percent) write_all(change->fd, change->new + (at - change->at), next - at, at);
    at = next;
  }
}

/* Which changes of a folder the disk has got to is one moment per folder: those after it are taken back. */
static void lose_names(int percent) {
  for (struct change *change = first; change != NULL; change = change->next) {
    if (change->gone || is_content(change) || (int)below(100) < percent) continue;
    for (struct change *later = change; later != NULL; later = later->next) {
      if (!is_content(later) && !later->gone && later->where == change->where) later->gone = -1;
    }
  }
  for (struct change *change = last; change != NULL; change = change->before) {
    if (change->gone == -1) take_back(change);
  }
}

static void lose_power(void) {
  static const int percents[] = {0, 0, 100, 20, 50, 80, 95};
  int percent = percents[below(sizeof percents / sizeof *percents)];
  for (struct change *change = last; change != NULL; change = change->before) {
    if (is_content(change) && !change->gone) {
      take_back(change);
      change->gone = -1;
    }
  }
  for (struct change *change = first; change != NULL; change = change->next) {
    if (is_content(change) && change->gone == -1) do_again(change, change->doomed ? percent / 2 : percent);
  }
  lose_names(percent);
}

/* What was written to the file, or done in the folder, is durable from now on; unless a sync of it has failed once. */
static void settle(int fd, int failed) {
  struct stat found;
  fstat(fd, &found);
  for (struct change *change = first; change != NULL; change = change->next) {
    if (change->gone || change->doomed) continue;
    if (change->where != found.st_ino && (change->kind != RENAME || change->other != found.st_ino)) continue;
    if (failed) change->doomed = 1;
    else change->gone = 1;
  }
}
