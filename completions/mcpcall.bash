# bash completion for mcpcall. It asks mcpcall itself, which asks the server that the line names.

_mcpcall() {
    local found
    COMPREPLY=()
    while IFS= read -r found; do
        # No file may stand here.
        [[ $found == $'\t' ]] && { compopt +o bashdefault +o default 2>/dev/null; return; }
        COMPREPLY+=("$found")
    done < <(MCPCALL_COMPLETE=bash command mcpcall -- \
        "${COMP_LINE:0:$COMP_POINT}" "${COMP_LINE:$COMP_POINT}" "$COMP_WORDBREAKS" 2>/dev/null </dev/null)
    # A value is to follow, or the rest of a path.
    if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *[=/] ]]; then
        compopt -o nospace 2>/dev/null
    fi
}

if [[ ${BASH_VERSINFO[0]} -gt 4 || ${BASH_VERSINFO[0]} -eq 4 && ${BASH_VERSINFO[1]} -ge 4 ]]; then
    complete -o bashdefault -o default -o nosort -F _mcpcall mcpcall
else
    complete -o bashdefault -o default -F _mcpcall mcpcall
fi
