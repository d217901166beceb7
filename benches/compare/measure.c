/* Runs a command and says what it took: measure REPORT STDIN STDOUT STDERR COMMAND...
 *
 * A small program does this, and not the script, because a child's peak memory as the system tells it is never less
 * than that of the process it was forked from. REPORT gets one line: exit status, wall time in ns, user and system time
 * in us, peak memory in KiB. Times are the command's and those of the children it waited for, memory is that of the
 * largest of them. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static pid_t child;

/* The script ends a command that takes too long by ending us. */
static void end(int signal) {
    kill(-child, SIGKILL);
    _exit(128 + signal);
}

static void redirect(const char *path, int flags, int to) {
    int fd = open(path, flags, 0600);
    if (fd < 0 || dup2(fd, to) < 0) {
        perror(path);
        _exit(127);
    }
    if (fd != to) close(fd);
}

static long long ns(struct timespec t) { return t.tv_sec * 1000000000LL + t.tv_nsec; }

int main(int argc, char **argv) {
    if (argc < 6) {
        fprintf(stderr, "usage: measure REPORT STDIN STDOUT STDERR COMMAND...\n");
        return 2;
    }
    struct timespec before, after;
    clock_gettime(CLOCK_MONOTONIC, &before);
    child = fork();
    if (child == 0) {
        setsid();
        redirect(argv[2], O_RDONLY, 0);
        redirect(argv[3], O_WRONLY | O_CREAT | O_TRUNC, 1);
        redirect(argv[4], O_WRONLY | O_CREAT | O_TRUNC, 2);
        execvp(argv[5], argv + 5);
        perror(argv[5]);
        _exit(127);
    }
    signal(SIGTERM, end);
    int status;
    struct rusage used;
    if (wait4(child, &status, 0, &used) < 0) {
        perror("wait4");
        return 1;
    }
    clock_gettime(CLOCK_MONOTONIC, &after);
    FILE *report = fopen(argv[1], "w");
    if (!report) {
        perror(argv[1]);
        return 1;
    }
    fprintf(report, "%d %lld %ld %ld %ld\n", WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
            ns(after) - ns(before), used.ru_utime.tv_sec * 1000000L + used.ru_utime.tv_usec,
            used.ru_stime.tv_sec * 1000000L + used.ru_stime.tv_usec, used.ru_maxrss);
    return fclose(report) == 0 ? 0 : 1;
}
