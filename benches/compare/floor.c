/* The floor on stdio: the least a client can do for one piece of work.
 *
 *   floor text|json|all SCRIPT COMMAND...
 *
 * Starts COMMAND, writes SCRIPT to it (lines in blocks; after a block come the answers to its requests, then the next block
 * is written) and prints of the last answer its text, or its result as it came, or all answers but the first. A question
 * for a name on the way is answered with Ada, notifications are passed over. It knows how bench-server writes its
 * messages and understands no others. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static int to, from;
static char *buffer;
static size_t size, start, end;

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static void put(int fd, const char *bytes, size_t length) {
    while (length > 0) {
        ssize_t n = write(fd, bytes, length);
        if (n < 0) fail("write");
        bytes += n, length -= n;
    }
}

/* The next line; it is good until the next call. */
static char *line(size_t *length) {
    size_t seen = 0;
    for (;;) {
        char *newline = memchr(buffer + start + seen, '\n', end - start - seen);
        if (newline) {
            char *begin = buffer + start;
            *length = newline - begin;
            start += *length + 1;
            return begin;
        }
        seen = end - start;
        if (start > 0 && size - end < 65536) {
            memmove(buffer, buffer + start, seen);
            start = 0, end = seen;
        }
        if (size - end < 65536) {
            size = size ? 2 * size : 131072;
            buffer = realloc(buffer, size);
            if (!buffer) fail("realloc");
        }
        ssize_t n = read(from, buffer + end, size - end);
        if (n < 0) fail("read");
        if (n == 0) {
            fprintf(stderr, "floor: the server is gone\n");
            exit(1);
        }
        end += n;
    }
}

static int begins(const char *at, const char *with) { return strncmp(at, with, strlen(with)) == 0; }

static void print_text(char *result, char *limit) {
    char *at = memmem(result, limit - result, "\"text\":\"", 8);
    if (!at) return put(1, "\n", 1);
    at += 8;
    static char out[65536 + 8];
    size_t n = 0;
    while (at < limit && *at != '"') {
        char *stop = at;
        while (stop < limit && *stop != '"' && *stop != '\\') stop++;
        while (at < stop) {
            size_t some = stop - at < (long)(65536 - n) ? (size_t)(stop - at) : 65536 - n;
            memcpy(out + n, at, some);
            n += some, at += some;
            if (n == 65536) put(1, out, n), n = 0;
        }
        if (at < limit && *at == '\\') {
            char c = at[1];
            out[n++] = c == 'n' ? '\n' : c == 't' ? '\t' : c;
            if (n == 65536) put(1, out, n), n = 0;
            at += 2;
        }
    }
    out[n++] = '\n';
    put(1, out, n);
}

int main(int argc, char **argv) {
    if (argc < 4) {
        fprintf(stderr, "usage: floor text|json|all SCRIPT COMMAND...\n");
        return 2;
    }
    int all = strcmp(argv[1], "all") == 0, json = strcmp(argv[1], "json") == 0;

    int file = open(argv[2], O_RDONLY | O_CLOEXEC);
    struct stat about;
    if (file < 0 || fstat(file, &about) < 0) fail(argv[2]);
    char *script = malloc(about.st_size + 1);
    if (read(file, script, about.st_size) != about.st_size) fail(argv[2]);
    script[about.st_size] = 0;

    int in[2], out[2];
    if (pipe2(in, O_CLOEXEC) < 0 || pipe2(out, O_CLOEXEC) < 0) fail("pipe");
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in[0], 0);
    posix_spawn_file_actions_adddup2(&actions, out[1], 1);
    pid_t child;
    if (posix_spawnp(&child, argv[3], &actions, NULL, argv + 3, environ) != 0) fail(argv[3]);
    close(in[0]), close(out[1]);
    to = in[1], from = out[0];

    int answers = 0;
    for (char *block = script; *block;) {
        char *stop = strstr(block, "\n\n");
        stop = stop ? stop + 1 : block + strlen(block);
        int open = 0;
        for (char *at = block; at < stop; at = memchr(at, '\n', stop - at) + 1) open += begins(at, "{\"jsonrpc\":\"2.0\",\"id\":");
        put(to, block, stop - block);
        char *next = *stop ? stop + 1 : stop;
        while (open > 0) {
            size_t length;
            char *message = line(&length), *limit = message + length;
            if (!begins(message, "{\"jsonrpc\":\"2.0\",\"id\":")) continue;
            char *id = message + 22, *after = id;
            while (*after != ',') after++;
            if (begins(after, ",\"method\":")) {
                char reply[256];
                int n = snprintf(reply, sizeof reply,
                                 "{\"jsonrpc\":\"2.0\",\"id\":%.*s,\"result\":{\"action\":\"accept\",\"content\":{\"name\":\"Ada\"}}}\n",
                                 (int)(after - id), id);
                put(to, reply, n);
                continue;
            }
            open--;
            if (!begins(after, ",\"result\":")) {
                fprintf(stderr, "floor: the server answered %.*s\n", (int)length, message);
                return 1;
            }
            if (all && answers++ > 0) put(1, message, length + 1);
            if (all || open > 0 || *next) continue;
            if (json) {
                limit[-1] = '\n';
                put(1, after + 10, limit - after - 10);
            } else {
                print_text(after, limit);
            }
        }
        block = next;
    }
    close(to);
    int status;
    waitpid(child, &status, 0);
    return 0;
}
