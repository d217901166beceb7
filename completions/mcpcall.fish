# fish completion for mcpcall. It asks mcpcall itself, which asks the server that the line names.

# While it completes, fish knows the line up to the cursor alone; the server may be named behind it.
function __mcpcall_tab
    set -g __mcpcall_line (commandline --current-process | string collect)
    commandline -f complete
end

function __mcpcall_complete
    set -lx MCPCALL_COMPLETE fish
    set -l before (commandline --current-process --cut-at-cursor | string collect)
    command mcpcall -- "$before" "$__mcpcall_line" 2>/dev/null </dev/null
end

# A TAB that does something else already keeps doing it.
for mode in default insert
    bind --user --mode $mode \t >/dev/null 2>&1
    or bind --user --mode $mode \t __mcpcall_tab
end

complete --command mcpcall --no-files --keep-order --arguments '(__mcpcall_complete)'
