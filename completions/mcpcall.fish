# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_mcpcall_global_optspecs
    string join \n no-validate yes-twice matrix yes ignore-tool-error stop-on-input save-state= junit= url= stdio= H/header= e/env= cwd= auto-answer= answer= on-elicit= no-input open= record-answers= lenient-answers root= sampling-cmd= sampling-text= sampling-model= sampling-tools sampling-context yes-sampling log-level= cap= no-cap= protocol= max-rounds= timeout= connect-timeout= cacert= insecure proxy= max-message-size= json q/quiet v/verbose trace trace-file= h/help V/version
end

function __fish_mcpcall_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_mcpcall_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_mcpcall_using_subcommand
    set -l cmd (__fish_mcpcall_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c mcpcall -n "__fish_mcpcall_needs_command" -l save-state -d 'With --stop-on-input: write where the call stands to this file, for `mcpcall resume FILE`' -r -F
complete -c mcpcall -n "__fish_mcpcall_needs_command" -l junit -d 'Write a JUnit report to this file: a case for the call, and one for each expectation of the answer file; with --matrix, one for each way' -r -F
complete -c mcpcall -n "__fish_mcpcall_needs_command" -l url -d 'A server by its address' -r
complete -c mcpcall -n "__fish_mcpcall_needs_command" -l stdio -d 'A server to start: program and arguments in one string, quoted as in a shell' -r
complete -c mcpcall -n "__fish_mcpcall_needs_command" -s H -l header -d 'Send a header with every request (repeatable; HTTP)' -r
complete -c mcpcall -n "__fish_mcpcall_needs_command" -s e -l env -d 'Set an environment variable of the started server (repeatable)' -r
complete -c mcpcall -n "__fish_mcpcall_needs_command" -l cwd -d 'Start the server in this folder' -r -F
complete -c mcpcall -n "__fish_mcpcall_needs_command" -l auto-answer -d 'Answer questions from this JSON file; the short form is {"name": "Ada"}' -r -F
complete -c mcpcall -n "__fish_mcpcall_needs_command" -l answer -d 'Fill any form field of this name (repeatable)' -r
complete -c mcpcall -n "__fish_mcpcall_needs_command" -l on-elicit -d 'What to do with a form that no answer fits [default: prompt at a terminal, else fail]' -r -f -a "prompt\t'Ask at the terminal'
fail\t'Refuse it and exit 7'
defaults\t'Accept with the schema\'s defaults'
decline\t'Say no'
cancel\t'Dismiss it'"
complete -c mcpcall -n "__fish_mcpcall_needs_command" -l open -d 'Whether URLs that a server asks to visit are opened, after a yes: ask, never, or a command that is given the URL' -r
complete -c mcpcall -n "__fish_mcpcall_needs_command" -l record-answers -d 'Write what is answered to this file, as an answer file for a later run' -r -F
complete -c mcpcall -n "__fish_mcpcall_needs_command" -l root -d 'Tell the server of a folder it may work in, when it asks (repeatable); a path or a file:// URI' -r
complete -c mcpcall -n "__fish_mcpcall_needs_command" -l sampling-cmd -d 'Answer sampling requests with a shell command: the params on its stdin, the reply on its stdout' -r
complete -c mcpcall -n "__fish_mcpcall_needs_command" -l sampling-text -d 'Answer sampling requests with this text' -r
complete -c mcpcall -n "__fish_mcpcall_needs_command" -l sampling-model -d 'The model to name in replies that name none' -r
complete -c mcpcall -n "__fish_mcpcall_needs_command" -l log-level -d 'Ask for the server\'s log messages of this level and above, and show them' -r -f -a "debug\t''
info\t''
notice\t''
warning\t''
error\t''
critical\t''
alert\t''
emergency\t''"
complete -c mcpcall -n "__fish_mcpcall_needs_command" -l cap -d 'Declare this capability, with these sub-features, though nothing here may answer (repeatable)' -r
complete -c mcpcall -n "__fish_mcpcall_needs_command" -l no-cap -d 'Do not declare this capability (repeatable)' -r
complete -c mcpcall -n "__fish_mcpcall_needs_command" -l protocol -d 'Protocol to speak: auto (the handshake, else 2026-07-28), legacy, modern (2026-07-28), a version, or both (a call in each, compared)' -r
complete -c mcpcall -n "__fish_mcpcall_needs_command" -l max-rounds -d 'How often a call may ask for input and be made again (2026-07-28)' -r
complete -c mcpcall -n "__fish_mcpcall_needs_command" -l timeout -d 'Longest wait for an answer (for the handshake at least --connect-timeout); stands still while you are asked, starts again with progress; 0 waits for ever [default: 0 at a terminal, else 300]' -r
complete -c mcpcall -n "__fish_mcpcall_needs_command" -l connect-timeout -d 'Longest wait for a connection (HTTP), and for a sign that a server speaks the protocol it is tried in' -r
complete -c mcpcall -n "__fish_mcpcall_needs_command" -l cacert -d 'Trust the certificates in this PEM file too' -r -F
complete -c mcpcall -n "__fish_mcpcall_needs_command" -l proxy -d 'Proxy to use, instead of what the environment says' -r
complete -c mcpcall -n "__fish_mcpcall_needs_command" -l max-message-size -d 'Largest message to accept, in bytes; K, M and G may follow' -r
complete -c mcpcall -n "__fish_mcpcall_needs_command" -l trace-file -d 'Write each message to this file, one JSON object a line, secrets masked' -r -F
complete -c mcpcall -n "__fish_mcpcall_needs_command" -l no-validate -d 'Send the arguments without checking them against the tool\'s schema'
complete -c mcpcall -n "__fish_mcpcall_needs_command" -l yes-twice -d 'With --protocol both: the tool may run twice though it does not say that it only reads'
complete -c mcpcall -n "__fish_mcpcall_needs_command" -l matrix -d 'Call the tool once for each way to answer its first question, right and wrong, and tabulate what comes'
complete -c mcpcall -n "__fish_mcpcall_needs_command" -l yes -d 'With --matrix: the tool may be called many times'
complete -c mcpcall -n "__fish_mcpcall_needs_command" -l ignore-tool-error -d 'Exit 0 though the tool reports an error'
complete -c mcpcall -n "__fish_mcpcall_needs_command" -l stop-on-input -d 'End with exit code 7 where the server asks for input (2026-07-28; means --protocol modern)'
complete -c mcpcall -n "__fish_mcpcall_needs_command" -l no-input -d 'Never ask at the terminal'
complete -c mcpcall -n "__fish_mcpcall_needs_command" -l lenient-answers -d 'Let entries of the answer file go unused'
complete -c mcpcall -n "__fish_mcpcall_needs_command" -l sampling-tools -d 'Declare that replies may use the tools a sampling request brings (sampling.tools)'
complete -c mcpcall -n "__fish_mcpcall_needs_command" -l sampling-context -d 'Declare that sampling requests may ask for context (sampling.context)'
complete -c mcpcall -n "__fish_mcpcall_needs_command" -l yes-sampling -d 'Let sampling requests and replies pass without approval at the terminal'
complete -c mcpcall -n "__fish_mcpcall_needs_command" -l insecure -d 'Accept any certificate'
complete -c mcpcall -n "__fish_mcpcall_needs_command" -l json -d 'Print the server\'s result object as it is, and a failure as one line of JSON on stderr'
complete -c mcpcall -n "__fish_mcpcall_needs_command" -s q -l quiet -d 'Nothing on stderr but errors'
complete -c mcpcall -n "__fish_mcpcall_needs_command" -s v -l verbose -d 'Show notifications of every kind'
complete -c mcpcall -n "__fish_mcpcall_needs_command" -l trace -d 'Show each message that crosses the wire, secrets masked'
complete -c mcpcall -n "__fish_mcpcall_needs_command" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c mcpcall -n "__fish_mcpcall_needs_command" -s V -l version -d 'Print version'
complete -c mcpcall -n "__fish_mcpcall_needs_command" -a "call" -d 'Call a tool (for a tool that is named like a verb)'
complete -c mcpcall -n "__fish_mcpcall_needs_command" -a "list" -d 'List what the server has'
complete -c mcpcall -n "__fish_mcpcall_needs_command" -a "resume" -d 'Go on with a call that --save-state has written down'
complete -c mcpcall -n "__fish_mcpcall_needs_command" -a "info" -d 'Say what the server is, what it can do, and which protocol versions it answers in'
complete -c mcpcall -n "__fish_mcpcall_needs_command" -a "listen" -d 'Print the server\'s notifications until ^C'
complete -c mcpcall -n "__fish_mcpcall_needs_command" -a "request" -d 'Make any request and print its result as JSON'
complete -c mcpcall -n "__fish_mcpcall_needs_command" -a "answers" -d 'Check answer files, make one of a trace, or print their JSON Schema'
complete -c mcpcall -n "__fish_mcpcall_needs_command" -a "completions" -d 'Print a completion script for a shell'
complete -c mcpcall -n "__fish_mcpcall_needs_command" -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand call" -l save-state -d 'With --stop-on-input: write where the call stands to this file, for `mcpcall resume FILE`' -r -F
complete -c mcpcall -n "__fish_mcpcall_using_subcommand call" -l junit -d 'Write a JUnit report to this file: a case for the call, and one for each expectation of the answer file; with --matrix, one for each way' -r -F
complete -c mcpcall -n "__fish_mcpcall_using_subcommand call" -l url -d 'A server by its address' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand call" -l stdio -d 'A server to start: program and arguments in one string, quoted as in a shell' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand call" -s H -l header -d 'Send a header with every request (repeatable; HTTP)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand call" -s e -l env -d 'Set an environment variable of the started server (repeatable)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand call" -l cwd -d 'Start the server in this folder' -r -F
complete -c mcpcall -n "__fish_mcpcall_using_subcommand call" -l auto-answer -d 'Answer questions from this JSON file; the short form is {"name": "Ada"}' -r -F
complete -c mcpcall -n "__fish_mcpcall_using_subcommand call" -l answer -d 'Fill any form field of this name (repeatable)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand call" -l on-elicit -d 'What to do with a form that no answer fits [default: prompt at a terminal, else fail]' -r -f -a "prompt\t'Ask at the terminal'
fail\t'Refuse it and exit 7'
defaults\t'Accept with the schema\'s defaults'
decline\t'Say no'
cancel\t'Dismiss it'"
complete -c mcpcall -n "__fish_mcpcall_using_subcommand call" -l open -d 'Whether URLs that a server asks to visit are opened, after a yes: ask, never, or a command that is given the URL' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand call" -l record-answers -d 'Write what is answered to this file, as an answer file for a later run' -r -F
complete -c mcpcall -n "__fish_mcpcall_using_subcommand call" -l root -d 'Tell the server of a folder it may work in, when it asks (repeatable); a path or a file:// URI' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand call" -l sampling-cmd -d 'Answer sampling requests with a shell command: the params on its stdin, the reply on its stdout' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand call" -l sampling-text -d 'Answer sampling requests with this text' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand call" -l sampling-model -d 'The model to name in replies that name none' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand call" -l log-level -d 'Ask for the server\'s log messages of this level and above, and show them' -r -f -a "debug\t''
info\t''
notice\t''
warning\t''
error\t''
critical\t''
alert\t''
emergency\t''"
complete -c mcpcall -n "__fish_mcpcall_using_subcommand call" -l cap -d 'Declare this capability, with these sub-features, though nothing here may answer (repeatable)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand call" -l no-cap -d 'Do not declare this capability (repeatable)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand call" -l protocol -d 'Protocol to speak: auto (the handshake, else 2026-07-28), legacy, modern (2026-07-28), a version, or both (a call in each, compared)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand call" -l max-rounds -d 'How often a call may ask for input and be made again (2026-07-28)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand call" -l timeout -d 'Longest wait for an answer (for the handshake at least --connect-timeout); stands still while you are asked, starts again with progress; 0 waits for ever [default: 0 at a terminal, else 300]' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand call" -l connect-timeout -d 'Longest wait for a connection (HTTP), and for a sign that a server speaks the protocol it is tried in' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand call" -l cacert -d 'Trust the certificates in this PEM file too' -r -F
complete -c mcpcall -n "__fish_mcpcall_using_subcommand call" -l proxy -d 'Proxy to use, instead of what the environment says' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand call" -l max-message-size -d 'Largest message to accept, in bytes; K, M and G may follow' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand call" -l trace-file -d 'Write each message to this file, one JSON object a line, secrets masked' -r -F
complete -c mcpcall -n "__fish_mcpcall_using_subcommand call" -l no-validate -d 'Send the arguments without checking them against the tool\'s schema'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand call" -l yes-twice -d 'With --protocol both: the tool may run twice though it does not say that it only reads'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand call" -l matrix -d 'Call the tool once for each way to answer its first question, right and wrong, and tabulate what comes'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand call" -l yes -d 'With --matrix: the tool may be called many times'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand call" -l ignore-tool-error -d 'Exit 0 though the tool reports an error'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand call" -l stop-on-input -d 'End with exit code 7 where the server asks for input (2026-07-28; means --protocol modern)'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand call" -l no-input -d 'Never ask at the terminal'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand call" -l lenient-answers -d 'Let entries of the answer file go unused'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand call" -l sampling-tools -d 'Declare that replies may use the tools a sampling request brings (sampling.tools)'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand call" -l sampling-context -d 'Declare that sampling requests may ask for context (sampling.context)'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand call" -l yes-sampling -d 'Let sampling requests and replies pass without approval at the terminal'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand call" -l insecure -d 'Accept any certificate'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand call" -l json -d 'Print the server\'s result object as it is, and a failure as one line of JSON on stderr'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand call" -s q -l quiet -d 'Nothing on stderr but errors'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand call" -s v -l verbose -d 'Show notifications of every kind'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand call" -l trace -d 'Show each message that crosses the wire, secrets masked'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand call" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand list" -l url -d 'A server by its address' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand list" -l stdio -d 'A server to start: program and arguments in one string, quoted as in a shell' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand list" -s H -l header -d 'Send a header with every request (repeatable; HTTP)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand list" -s e -l env -d 'Set an environment variable of the started server (repeatable)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand list" -l cwd -d 'Start the server in this folder' -r -F
complete -c mcpcall -n "__fish_mcpcall_using_subcommand list" -l auto-answer -d 'Answer questions from this JSON file; the short form is {"name": "Ada"}' -r -F
complete -c mcpcall -n "__fish_mcpcall_using_subcommand list" -l answer -d 'Fill any form field of this name (repeatable)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand list" -l on-elicit -d 'What to do with a form that no answer fits [default: prompt at a terminal, else fail]' -r -f -a "prompt\t'Ask at the terminal'
fail\t'Refuse it and exit 7'
defaults\t'Accept with the schema\'s defaults'
decline\t'Say no'
cancel\t'Dismiss it'"
complete -c mcpcall -n "__fish_mcpcall_using_subcommand list" -l open -d 'Whether URLs that a server asks to visit are opened, after a yes: ask, never, or a command that is given the URL' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand list" -l record-answers -d 'Write what is answered to this file, as an answer file for a later run' -r -F
complete -c mcpcall -n "__fish_mcpcall_using_subcommand list" -l root -d 'Tell the server of a folder it may work in, when it asks (repeatable); a path or a file:// URI' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand list" -l sampling-cmd -d 'Answer sampling requests with a shell command: the params on its stdin, the reply on its stdout' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand list" -l sampling-text -d 'Answer sampling requests with this text' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand list" -l sampling-model -d 'The model to name in replies that name none' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand list" -l log-level -d 'Ask for the server\'s log messages of this level and above, and show them' -r -f -a "debug\t''
info\t''
notice\t''
warning\t''
error\t''
critical\t''
alert\t''
emergency\t''"
complete -c mcpcall -n "__fish_mcpcall_using_subcommand list" -l cap -d 'Declare this capability, with these sub-features, though nothing here may answer (repeatable)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand list" -l no-cap -d 'Do not declare this capability (repeatable)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand list" -l protocol -d 'Protocol to speak: auto (the handshake, else 2026-07-28), legacy, modern (2026-07-28), a version, or both (a call in each, compared)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand list" -l max-rounds -d 'How often a call may ask for input and be made again (2026-07-28)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand list" -l timeout -d 'Longest wait for an answer (for the handshake at least --connect-timeout); stands still while you are asked, starts again with progress; 0 waits for ever [default: 0 at a terminal, else 300]' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand list" -l connect-timeout -d 'Longest wait for a connection (HTTP), and for a sign that a server speaks the protocol it is tried in' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand list" -l cacert -d 'Trust the certificates in this PEM file too' -r -F
complete -c mcpcall -n "__fish_mcpcall_using_subcommand list" -l proxy -d 'Proxy to use, instead of what the environment says' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand list" -l max-message-size -d 'Largest message to accept, in bytes; K, M and G may follow' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand list" -l trace-file -d 'Write each message to this file, one JSON object a line, secrets masked' -r -F
complete -c mcpcall -n "__fish_mcpcall_using_subcommand list" -l no-input -d 'Never ask at the terminal'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand list" -l lenient-answers -d 'Let entries of the answer file go unused'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand list" -l sampling-tools -d 'Declare that replies may use the tools a sampling request brings (sampling.tools)'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand list" -l sampling-context -d 'Declare that sampling requests may ask for context (sampling.context)'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand list" -l yes-sampling -d 'Let sampling requests and replies pass without approval at the terminal'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand list" -l insecure -d 'Accept any certificate'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand list" -l json -d 'Print the server\'s result object as it is, and a failure as one line of JSON on stderr'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand list" -s q -l quiet -d 'Nothing on stderr but errors'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand list" -s v -l verbose -d 'Show notifications of every kind'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand list" -l trace -d 'Show each message that crosses the wire, secrets masked'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand list" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand resume" -l save-state -d 'With --stop-on-input: write where the call stands to this file, for `mcpcall resume FILE`' -r -F
complete -c mcpcall -n "__fish_mcpcall_using_subcommand resume" -l junit -d 'Write a JUnit report to this file: a case for the call, and one for each expectation of the answer file; with --matrix, one for each way' -r -F
complete -c mcpcall -n "__fish_mcpcall_using_subcommand resume" -l url -d 'A server by its address' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand resume" -l stdio -d 'A server to start: program and arguments in one string, quoted as in a shell' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand resume" -s H -l header -d 'Send a header with every request (repeatable; HTTP)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand resume" -s e -l env -d 'Set an environment variable of the started server (repeatable)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand resume" -l cwd -d 'Start the server in this folder' -r -F
complete -c mcpcall -n "__fish_mcpcall_using_subcommand resume" -l auto-answer -d 'Answer questions from this JSON file; the short form is {"name": "Ada"}' -r -F
complete -c mcpcall -n "__fish_mcpcall_using_subcommand resume" -l answer -d 'Fill any form field of this name (repeatable)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand resume" -l on-elicit -d 'What to do with a form that no answer fits [default: prompt at a terminal, else fail]' -r -f -a "prompt\t'Ask at the terminal'
fail\t'Refuse it and exit 7'
defaults\t'Accept with the schema\'s defaults'
decline\t'Say no'
cancel\t'Dismiss it'"
complete -c mcpcall -n "__fish_mcpcall_using_subcommand resume" -l open -d 'Whether URLs that a server asks to visit are opened, after a yes: ask, never, or a command that is given the URL' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand resume" -l record-answers -d 'Write what is answered to this file, as an answer file for a later run' -r -F
complete -c mcpcall -n "__fish_mcpcall_using_subcommand resume" -l root -d 'Tell the server of a folder it may work in, when it asks (repeatable); a path or a file:// URI' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand resume" -l sampling-cmd -d 'Answer sampling requests with a shell command: the params on its stdin, the reply on its stdout' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand resume" -l sampling-text -d 'Answer sampling requests with this text' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand resume" -l sampling-model -d 'The model to name in replies that name none' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand resume" -l log-level -d 'Ask for the server\'s log messages of this level and above, and show them' -r -f -a "debug\t''
info\t''
notice\t''
warning\t''
error\t''
critical\t''
alert\t''
emergency\t''"
complete -c mcpcall -n "__fish_mcpcall_using_subcommand resume" -l cap -d 'Declare this capability, with these sub-features, though nothing here may answer (repeatable)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand resume" -l no-cap -d 'Do not declare this capability (repeatable)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand resume" -l protocol -d 'Protocol to speak: auto (the handshake, else 2026-07-28), legacy, modern (2026-07-28), a version, or both (a call in each, compared)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand resume" -l max-rounds -d 'How often a call may ask for input and be made again (2026-07-28)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand resume" -l timeout -d 'Longest wait for an answer (for the handshake at least --connect-timeout); stands still while you are asked, starts again with progress; 0 waits for ever [default: 0 at a terminal, else 300]' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand resume" -l connect-timeout -d 'Longest wait for a connection (HTTP), and for a sign that a server speaks the protocol it is tried in' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand resume" -l cacert -d 'Trust the certificates in this PEM file too' -r -F
complete -c mcpcall -n "__fish_mcpcall_using_subcommand resume" -l proxy -d 'Proxy to use, instead of what the environment says' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand resume" -l max-message-size -d 'Largest message to accept, in bytes; K, M and G may follow' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand resume" -l trace-file -d 'Write each message to this file, one JSON object a line, secrets masked' -r -F
complete -c mcpcall -n "__fish_mcpcall_using_subcommand resume" -l ignore-tool-error -d 'Exit 0 though the tool reports an error'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand resume" -l stop-on-input -d 'End with exit code 7 where the server asks for input (2026-07-28; means --protocol modern)'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand resume" -l no-input -d 'Never ask at the terminal'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand resume" -l lenient-answers -d 'Let entries of the answer file go unused'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand resume" -l sampling-tools -d 'Declare that replies may use the tools a sampling request brings (sampling.tools)'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand resume" -l sampling-context -d 'Declare that sampling requests may ask for context (sampling.context)'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand resume" -l yes-sampling -d 'Let sampling requests and replies pass without approval at the terminal'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand resume" -l insecure -d 'Accept any certificate'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand resume" -l json -d 'Print the server\'s result object as it is, and a failure as one line of JSON on stderr'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand resume" -s q -l quiet -d 'Nothing on stderr but errors'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand resume" -s v -l verbose -d 'Show notifications of every kind'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand resume" -l trace -d 'Show each message that crosses the wire, secrets masked'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand resume" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand info" -l url -d 'A server by its address' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand info" -l stdio -d 'A server to start: program and arguments in one string, quoted as in a shell' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand info" -s H -l header -d 'Send a header with every request (repeatable; HTTP)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand info" -s e -l env -d 'Set an environment variable of the started server (repeatable)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand info" -l cwd -d 'Start the server in this folder' -r -F
complete -c mcpcall -n "__fish_mcpcall_using_subcommand info" -l auto-answer -d 'Answer questions from this JSON file; the short form is {"name": "Ada"}' -r -F
complete -c mcpcall -n "__fish_mcpcall_using_subcommand info" -l answer -d 'Fill any form field of this name (repeatable)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand info" -l on-elicit -d 'What to do with a form that no answer fits [default: prompt at a terminal, else fail]' -r -f -a "prompt\t'Ask at the terminal'
fail\t'Refuse it and exit 7'
defaults\t'Accept with the schema\'s defaults'
decline\t'Say no'
cancel\t'Dismiss it'"
complete -c mcpcall -n "__fish_mcpcall_using_subcommand info" -l open -d 'Whether URLs that a server asks to visit are opened, after a yes: ask, never, or a command that is given the URL' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand info" -l record-answers -d 'Write what is answered to this file, as an answer file for a later run' -r -F
complete -c mcpcall -n "__fish_mcpcall_using_subcommand info" -l root -d 'Tell the server of a folder it may work in, when it asks (repeatable); a path or a file:// URI' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand info" -l sampling-cmd -d 'Answer sampling requests with a shell command: the params on its stdin, the reply on its stdout' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand info" -l sampling-text -d 'Answer sampling requests with this text' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand info" -l sampling-model -d 'The model to name in replies that name none' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand info" -l log-level -d 'Ask for the server\'s log messages of this level and above, and show them' -r -f -a "debug\t''
info\t''
notice\t''
warning\t''
error\t''
critical\t''
alert\t''
emergency\t''"
complete -c mcpcall -n "__fish_mcpcall_using_subcommand info" -l cap -d 'Declare this capability, with these sub-features, though nothing here may answer (repeatable)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand info" -l no-cap -d 'Do not declare this capability (repeatable)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand info" -l protocol -d 'Protocol to speak: auto (the handshake, else 2026-07-28), legacy, modern (2026-07-28), a version, or both (a call in each, compared)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand info" -l max-rounds -d 'How often a call may ask for input and be made again (2026-07-28)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand info" -l timeout -d 'Longest wait for an answer (for the handshake at least --connect-timeout); stands still while you are asked, starts again with progress; 0 waits for ever [default: 0 at a terminal, else 300]' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand info" -l connect-timeout -d 'Longest wait for a connection (HTTP), and for a sign that a server speaks the protocol it is tried in' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand info" -l cacert -d 'Trust the certificates in this PEM file too' -r -F
complete -c mcpcall -n "__fish_mcpcall_using_subcommand info" -l proxy -d 'Proxy to use, instead of what the environment says' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand info" -l max-message-size -d 'Largest message to accept, in bytes; K, M and G may follow' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand info" -l trace-file -d 'Write each message to this file, one JSON object a line, secrets masked' -r -F
complete -c mcpcall -n "__fish_mcpcall_using_subcommand info" -l no-input -d 'Never ask at the terminal'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand info" -l lenient-answers -d 'Let entries of the answer file go unused'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand info" -l sampling-tools -d 'Declare that replies may use the tools a sampling request brings (sampling.tools)'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand info" -l sampling-context -d 'Declare that sampling requests may ask for context (sampling.context)'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand info" -l yes-sampling -d 'Let sampling requests and replies pass without approval at the terminal'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand info" -l insecure -d 'Accept any certificate'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand info" -l json -d 'Print the server\'s result object as it is, and a failure as one line of JSON on stderr'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand info" -s q -l quiet -d 'Nothing on stderr but errors'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand info" -s v -l verbose -d 'Show notifications of every kind'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand info" -l trace -d 'Show each message that crosses the wire, secrets masked'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand info" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand listen" -l count -d 'End after so many notifications' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand listen" -l url -d 'A server by its address' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand listen" -l stdio -d 'A server to start: program and arguments in one string, quoted as in a shell' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand listen" -s H -l header -d 'Send a header with every request (repeatable; HTTP)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand listen" -s e -l env -d 'Set an environment variable of the started server (repeatable)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand listen" -l cwd -d 'Start the server in this folder' -r -F
complete -c mcpcall -n "__fish_mcpcall_using_subcommand listen" -l auto-answer -d 'Answer questions from this JSON file; the short form is {"name": "Ada"}' -r -F
complete -c mcpcall -n "__fish_mcpcall_using_subcommand listen" -l answer -d 'Fill any form field of this name (repeatable)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand listen" -l on-elicit -d 'What to do with a form that no answer fits [default: prompt at a terminal, else fail]' -r -f -a "prompt\t'Ask at the terminal'
fail\t'Refuse it and exit 7'
defaults\t'Accept with the schema\'s defaults'
decline\t'Say no'
cancel\t'Dismiss it'"
complete -c mcpcall -n "__fish_mcpcall_using_subcommand listen" -l open -d 'Whether URLs that a server asks to visit are opened, after a yes: ask, never, or a command that is given the URL' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand listen" -l record-answers -d 'Write what is answered to this file, as an answer file for a later run' -r -F
complete -c mcpcall -n "__fish_mcpcall_using_subcommand listen" -l root -d 'Tell the server of a folder it may work in, when it asks (repeatable); a path or a file:// URI' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand listen" -l sampling-cmd -d 'Answer sampling requests with a shell command: the params on its stdin, the reply on its stdout' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand listen" -l sampling-text -d 'Answer sampling requests with this text' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand listen" -l sampling-model -d 'The model to name in replies that name none' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand listen" -l log-level -d 'Ask for the server\'s log messages of this level and above, and show them' -r -f -a "debug\t''
info\t''
notice\t''
warning\t''
error\t''
critical\t''
alert\t''
emergency\t''"
complete -c mcpcall -n "__fish_mcpcall_using_subcommand listen" -l cap -d 'Declare this capability, with these sub-features, though nothing here may answer (repeatable)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand listen" -l no-cap -d 'Do not declare this capability (repeatable)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand listen" -l protocol -d 'Protocol to speak: auto (the handshake, else 2026-07-28), legacy, modern (2026-07-28), a version, or both (a call in each, compared)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand listen" -l max-rounds -d 'How often a call may ask for input and be made again (2026-07-28)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand listen" -l timeout -d 'Longest wait for an answer (for the handshake at least --connect-timeout); stands still while you are asked, starts again with progress; 0 waits for ever [default: 0 at a terminal, else 300]' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand listen" -l connect-timeout -d 'Longest wait for a connection (HTTP), and for a sign that a server speaks the protocol it is tried in' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand listen" -l cacert -d 'Trust the certificates in this PEM file too' -r -F
complete -c mcpcall -n "__fish_mcpcall_using_subcommand listen" -l proxy -d 'Proxy to use, instead of what the environment says' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand listen" -l max-message-size -d 'Largest message to accept, in bytes; K, M and G may follow' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand listen" -l trace-file -d 'Write each message to this file, one JSON object a line, secrets masked' -r -F
complete -c mcpcall -n "__fish_mcpcall_using_subcommand listen" -l no-input -d 'Never ask at the terminal'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand listen" -l lenient-answers -d 'Let entries of the answer file go unused'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand listen" -l sampling-tools -d 'Declare that replies may use the tools a sampling request brings (sampling.tools)'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand listen" -l sampling-context -d 'Declare that sampling requests may ask for context (sampling.context)'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand listen" -l yes-sampling -d 'Let sampling requests and replies pass without approval at the terminal'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand listen" -l insecure -d 'Accept any certificate'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand listen" -l json -d 'Print the server\'s result object as it is, and a failure as one line of JSON on stderr'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand listen" -s q -l quiet -d 'Nothing on stderr but errors'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand listen" -s v -l verbose -d 'Show notifications of every kind'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand listen" -l trace -d 'Show each message that crosses the wire, secrets masked'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand listen" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand request" -l url -d 'A server by its address' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand request" -l stdio -d 'A server to start: program and arguments in one string, quoted as in a shell' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand request" -s H -l header -d 'Send a header with every request (repeatable; HTTP)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand request" -s e -l env -d 'Set an environment variable of the started server (repeatable)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand request" -l cwd -d 'Start the server in this folder' -r -F
complete -c mcpcall -n "__fish_mcpcall_using_subcommand request" -l auto-answer -d 'Answer questions from this JSON file; the short form is {"name": "Ada"}' -r -F
complete -c mcpcall -n "__fish_mcpcall_using_subcommand request" -l answer -d 'Fill any form field of this name (repeatable)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand request" -l on-elicit -d 'What to do with a form that no answer fits [default: prompt at a terminal, else fail]' -r -f -a "prompt\t'Ask at the terminal'
fail\t'Refuse it and exit 7'
defaults\t'Accept with the schema\'s defaults'
decline\t'Say no'
cancel\t'Dismiss it'"
complete -c mcpcall -n "__fish_mcpcall_using_subcommand request" -l open -d 'Whether URLs that a server asks to visit are opened, after a yes: ask, never, or a command that is given the URL' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand request" -l record-answers -d 'Write what is answered to this file, as an answer file for a later run' -r -F
complete -c mcpcall -n "__fish_mcpcall_using_subcommand request" -l root -d 'Tell the server of a folder it may work in, when it asks (repeatable); a path or a file:// URI' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand request" -l sampling-cmd -d 'Answer sampling requests with a shell command: the params on its stdin, the reply on its stdout' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand request" -l sampling-text -d 'Answer sampling requests with this text' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand request" -l sampling-model -d 'The model to name in replies that name none' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand request" -l log-level -d 'Ask for the server\'s log messages of this level and above, and show them' -r -f -a "debug\t''
info\t''
notice\t''
warning\t''
error\t''
critical\t''
alert\t''
emergency\t''"
complete -c mcpcall -n "__fish_mcpcall_using_subcommand request" -l cap -d 'Declare this capability, with these sub-features, though nothing here may answer (repeatable)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand request" -l no-cap -d 'Do not declare this capability (repeatable)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand request" -l protocol -d 'Protocol to speak: auto (the handshake, else 2026-07-28), legacy, modern (2026-07-28), a version, or both (a call in each, compared)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand request" -l max-rounds -d 'How often a call may ask for input and be made again (2026-07-28)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand request" -l timeout -d 'Longest wait for an answer (for the handshake at least --connect-timeout); stands still while you are asked, starts again with progress; 0 waits for ever [default: 0 at a terminal, else 300]' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand request" -l connect-timeout -d 'Longest wait for a connection (HTTP), and for a sign that a server speaks the protocol it is tried in' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand request" -l cacert -d 'Trust the certificates in this PEM file too' -r -F
complete -c mcpcall -n "__fish_mcpcall_using_subcommand request" -l proxy -d 'Proxy to use, instead of what the environment says' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand request" -l max-message-size -d 'Largest message to accept, in bytes; K, M and G may follow' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand request" -l trace-file -d 'Write each message to this file, one JSON object a line, secrets masked' -r -F
complete -c mcpcall -n "__fish_mcpcall_using_subcommand request" -l no-input -d 'Never ask at the terminal'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand request" -l lenient-answers -d 'Let entries of the answer file go unused'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand request" -l sampling-tools -d 'Declare that replies may use the tools a sampling request brings (sampling.tools)'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand request" -l sampling-context -d 'Declare that sampling requests may ask for context (sampling.context)'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand request" -l yes-sampling -d 'Let sampling requests and replies pass without approval at the terminal'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand request" -l insecure -d 'Accept any certificate'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand request" -l json -d 'Print the server\'s result object as it is, and a failure as one line of JSON on stderr'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand request" -s q -l quiet -d 'Nothing on stderr but errors'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand request" -s v -l verbose -d 'Show notifications of every kind'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand request" -l trace -d 'Show each message that crosses the wire, secrets masked'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand request" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and not __fish_seen_subcommand_from check stub schema help" -l url -d 'A server by its address' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and not __fish_seen_subcommand_from check stub schema help" -l stdio -d 'A server to start: program and arguments in one string, quoted as in a shell' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and not __fish_seen_subcommand_from check stub schema help" -s H -l header -d 'Send a header with every request (repeatable; HTTP)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and not __fish_seen_subcommand_from check stub schema help" -s e -l env -d 'Set an environment variable of the started server (repeatable)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and not __fish_seen_subcommand_from check stub schema help" -l cwd -d 'Start the server in this folder' -r -F
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and not __fish_seen_subcommand_from check stub schema help" -l auto-answer -d 'Answer questions from this JSON file; the short form is {"name": "Ada"}' -r -F
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and not __fish_seen_subcommand_from check stub schema help" -l answer -d 'Fill any form field of this name (repeatable)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and not __fish_seen_subcommand_from check stub schema help" -l on-elicit -d 'What to do with a form that no answer fits [default: prompt at a terminal, else fail]' -r -f -a "prompt\t'Ask at the terminal'
fail\t'Refuse it and exit 7'
defaults\t'Accept with the schema\'s defaults'
decline\t'Say no'
cancel\t'Dismiss it'"
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and not __fish_seen_subcommand_from check stub schema help" -l open -d 'Whether URLs that a server asks to visit are opened, after a yes: ask, never, or a command that is given the URL' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and not __fish_seen_subcommand_from check stub schema help" -l record-answers -d 'Write what is answered to this file, as an answer file for a later run' -r -F
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and not __fish_seen_subcommand_from check stub schema help" -l root -d 'Tell the server of a folder it may work in, when it asks (repeatable); a path or a file:// URI' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and not __fish_seen_subcommand_from check stub schema help" -l sampling-cmd -d 'Answer sampling requests with a shell command: the params on its stdin, the reply on its stdout' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and not __fish_seen_subcommand_from check stub schema help" -l sampling-text -d 'Answer sampling requests with this text' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and not __fish_seen_subcommand_from check stub schema help" -l sampling-model -d 'The model to name in replies that name none' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and not __fish_seen_subcommand_from check stub schema help" -l log-level -d 'Ask for the server\'s log messages of this level and above, and show them' -r -f -a "debug\t''
info\t''
notice\t''
warning\t''
error\t''
critical\t''
alert\t''
emergency\t''"
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and not __fish_seen_subcommand_from check stub schema help" -l cap -d 'Declare this capability, with these sub-features, though nothing here may answer (repeatable)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and not __fish_seen_subcommand_from check stub schema help" -l no-cap -d 'Do not declare this capability (repeatable)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and not __fish_seen_subcommand_from check stub schema help" -l protocol -d 'Protocol to speak: auto (the handshake, else 2026-07-28), legacy, modern (2026-07-28), a version, or both (a call in each, compared)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and not __fish_seen_subcommand_from check stub schema help" -l max-rounds -d 'How often a call may ask for input and be made again (2026-07-28)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and not __fish_seen_subcommand_from check stub schema help" -l timeout -d 'Longest wait for an answer (for the handshake at least --connect-timeout); stands still while you are asked, starts again with progress; 0 waits for ever [default: 0 at a terminal, else 300]' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and not __fish_seen_subcommand_from check stub schema help" -l connect-timeout -d 'Longest wait for a connection (HTTP), and for a sign that a server speaks the protocol it is tried in' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and not __fish_seen_subcommand_from check stub schema help" -l cacert -d 'Trust the certificates in this PEM file too' -r -F
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and not __fish_seen_subcommand_from check stub schema help" -l proxy -d 'Proxy to use, instead of what the environment says' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and not __fish_seen_subcommand_from check stub schema help" -l max-message-size -d 'Largest message to accept, in bytes; K, M and G may follow' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and not __fish_seen_subcommand_from check stub schema help" -l trace-file -d 'Write each message to this file, one JSON object a line, secrets masked' -r -F
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and not __fish_seen_subcommand_from check stub schema help" -l no-input -d 'Never ask at the terminal'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and not __fish_seen_subcommand_from check stub schema help" -l lenient-answers -d 'Let entries of the answer file go unused'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and not __fish_seen_subcommand_from check stub schema help" -l sampling-tools -d 'Declare that replies may use the tools a sampling request brings (sampling.tools)'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and not __fish_seen_subcommand_from check stub schema help" -l sampling-context -d 'Declare that sampling requests may ask for context (sampling.context)'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and not __fish_seen_subcommand_from check stub schema help" -l yes-sampling -d 'Let sampling requests and replies pass without approval at the terminal'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and not __fish_seen_subcommand_from check stub schema help" -l insecure -d 'Accept any certificate'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and not __fish_seen_subcommand_from check stub schema help" -l json -d 'Print the server\'s result object as it is, and a failure as one line of JSON on stderr'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and not __fish_seen_subcommand_from check stub schema help" -s q -l quiet -d 'Nothing on stderr but errors'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and not __fish_seen_subcommand_from check stub schema help" -s v -l verbose -d 'Show notifications of every kind'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and not __fish_seen_subcommand_from check stub schema help" -l trace -d 'Show each message that crosses the wire, secrets masked'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and not __fish_seen_subcommand_from check stub schema help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and not __fish_seen_subcommand_from check stub schema help" -f -a "check" -d 'Say whether answer files are right, and what is wrong with them'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and not __fish_seen_subcommand_from check stub schema help" -f -a "stub" -d 'Print an answer file for the questions of a run, with the answers they got'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and not __fish_seen_subcommand_from check stub schema help" -f -a "schema" -d 'Print the JSON Schema of answer files, for editors'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and not __fish_seen_subcommand_from check stub schema help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from check" -l url -d 'A server by its address' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from check" -l stdio -d 'A server to start: program and arguments in one string, quoted as in a shell' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from check" -s H -l header -d 'Send a header with every request (repeatable; HTTP)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from check" -s e -l env -d 'Set an environment variable of the started server (repeatable)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from check" -l cwd -d 'Start the server in this folder' -r -F
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from check" -l auto-answer -d 'Answer questions from this JSON file; the short form is {"name": "Ada"}' -r -F
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from check" -l answer -d 'Fill any form field of this name (repeatable)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from check" -l on-elicit -d 'What to do with a form that no answer fits [default: prompt at a terminal, else fail]' -r -f -a "prompt\t'Ask at the terminal'
fail\t'Refuse it and exit 7'
defaults\t'Accept with the schema\'s defaults'
decline\t'Say no'
cancel\t'Dismiss it'"
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from check" -l open -d 'Whether URLs that a server asks to visit are opened, after a yes: ask, never, or a command that is given the URL' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from check" -l record-answers -d 'Write what is answered to this file, as an answer file for a later run' -r -F
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from check" -l root -d 'Tell the server of a folder it may work in, when it asks (repeatable); a path or a file:// URI' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from check" -l sampling-cmd -d 'Answer sampling requests with a shell command: the params on its stdin, the reply on its stdout' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from check" -l sampling-text -d 'Answer sampling requests with this text' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from check" -l sampling-model -d 'The model to name in replies that name none' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from check" -l log-level -d 'Ask for the server\'s log messages of this level and above, and show them' -r -f -a "debug\t''
info\t''
notice\t''
warning\t''
error\t''
critical\t''
alert\t''
emergency\t''"
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from check" -l cap -d 'Declare this capability, with these sub-features, though nothing here may answer (repeatable)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from check" -l no-cap -d 'Do not declare this capability (repeatable)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from check" -l protocol -d 'Protocol to speak: auto (the handshake, else 2026-07-28), legacy, modern (2026-07-28), a version, or both (a call in each, compared)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from check" -l max-rounds -d 'How often a call may ask for input and be made again (2026-07-28)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from check" -l timeout -d 'Longest wait for an answer (for the handshake at least --connect-timeout); stands still while you are asked, starts again with progress; 0 waits for ever [default: 0 at a terminal, else 300]' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from check" -l connect-timeout -d 'Longest wait for a connection (HTTP), and for a sign that a server speaks the protocol it is tried in' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from check" -l cacert -d 'Trust the certificates in this PEM file too' -r -F
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from check" -l proxy -d 'Proxy to use, instead of what the environment says' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from check" -l max-message-size -d 'Largest message to accept, in bytes; K, M and G may follow' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from check" -l trace-file -d 'Write each message to this file, one JSON object a line, secrets masked' -r -F
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from check" -l no-input -d 'Never ask at the terminal'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from check" -l lenient-answers -d 'Let entries of the answer file go unused'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from check" -l sampling-tools -d 'Declare that replies may use the tools a sampling request brings (sampling.tools)'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from check" -l sampling-context -d 'Declare that sampling requests may ask for context (sampling.context)'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from check" -l yes-sampling -d 'Let sampling requests and replies pass without approval at the terminal'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from check" -l insecure -d 'Accept any certificate'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from check" -l json -d 'Print the server\'s result object as it is, and a failure as one line of JSON on stderr'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from check" -s q -l quiet -d 'Nothing on stderr but errors'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from check" -s v -l verbose -d 'Show notifications of every kind'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from check" -l trace -d 'Show each message that crosses the wire, secrets masked'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from check" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from stub" -l url -d 'A server by its address' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from stub" -l stdio -d 'A server to start: program and arguments in one string, quoted as in a shell' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from stub" -s H -l header -d 'Send a header with every request (repeatable; HTTP)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from stub" -s e -l env -d 'Set an environment variable of the started server (repeatable)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from stub" -l cwd -d 'Start the server in this folder' -r -F
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from stub" -l auto-answer -d 'Answer questions from this JSON file; the short form is {"name": "Ada"}' -r -F
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from stub" -l answer -d 'Fill any form field of this name (repeatable)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from stub" -l on-elicit -d 'What to do with a form that no answer fits [default: prompt at a terminal, else fail]' -r -f -a "prompt\t'Ask at the terminal'
fail\t'Refuse it and exit 7'
defaults\t'Accept with the schema\'s defaults'
decline\t'Say no'
cancel\t'Dismiss it'"
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from stub" -l open -d 'Whether URLs that a server asks to visit are opened, after a yes: ask, never, or a command that is given the URL' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from stub" -l record-answers -d 'Write what is answered to this file, as an answer file for a later run' -r -F
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from stub" -l root -d 'Tell the server of a folder it may work in, when it asks (repeatable); a path or a file:// URI' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from stub" -l sampling-cmd -d 'Answer sampling requests with a shell command: the params on its stdin, the reply on its stdout' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from stub" -l sampling-text -d 'Answer sampling requests with this text' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from stub" -l sampling-model -d 'The model to name in replies that name none' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from stub" -l log-level -d 'Ask for the server\'s log messages of this level and above, and show them' -r -f -a "debug\t''
info\t''
notice\t''
warning\t''
error\t''
critical\t''
alert\t''
emergency\t''"
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from stub" -l cap -d 'Declare this capability, with these sub-features, though nothing here may answer (repeatable)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from stub" -l no-cap -d 'Do not declare this capability (repeatable)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from stub" -l protocol -d 'Protocol to speak: auto (the handshake, else 2026-07-28), legacy, modern (2026-07-28), a version, or both (a call in each, compared)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from stub" -l max-rounds -d 'How often a call may ask for input and be made again (2026-07-28)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from stub" -l timeout -d 'Longest wait for an answer (for the handshake at least --connect-timeout); stands still while you are asked, starts again with progress; 0 waits for ever [default: 0 at a terminal, else 300]' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from stub" -l connect-timeout -d 'Longest wait for a connection (HTTP), and for a sign that a server speaks the protocol it is tried in' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from stub" -l cacert -d 'Trust the certificates in this PEM file too' -r -F
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from stub" -l proxy -d 'Proxy to use, instead of what the environment says' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from stub" -l max-message-size -d 'Largest message to accept, in bytes; K, M and G may follow' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from stub" -l trace-file -d 'Write each message to this file, one JSON object a line, secrets masked' -r -F
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from stub" -l no-input -d 'Never ask at the terminal'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from stub" -l lenient-answers -d 'Let entries of the answer file go unused'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from stub" -l sampling-tools -d 'Declare that replies may use the tools a sampling request brings (sampling.tools)'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from stub" -l sampling-context -d 'Declare that sampling requests may ask for context (sampling.context)'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from stub" -l yes-sampling -d 'Let sampling requests and replies pass without approval at the terminal'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from stub" -l insecure -d 'Accept any certificate'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from stub" -l json -d 'Print the server\'s result object as it is, and a failure as one line of JSON on stderr'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from stub" -s q -l quiet -d 'Nothing on stderr but errors'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from stub" -s v -l verbose -d 'Show notifications of every kind'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from stub" -l trace -d 'Show each message that crosses the wire, secrets masked'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from stub" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from schema" -l url -d 'A server by its address' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from schema" -l stdio -d 'A server to start: program and arguments in one string, quoted as in a shell' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from schema" -s H -l header -d 'Send a header with every request (repeatable; HTTP)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from schema" -s e -l env -d 'Set an environment variable of the started server (repeatable)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from schema" -l cwd -d 'Start the server in this folder' -r -F
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from schema" -l auto-answer -d 'Answer questions from this JSON file; the short form is {"name": "Ada"}' -r -F
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from schema" -l answer -d 'Fill any form field of this name (repeatable)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from schema" -l on-elicit -d 'What to do with a form that no answer fits [default: prompt at a terminal, else fail]' -r -f -a "prompt\t'Ask at the terminal'
fail\t'Refuse it and exit 7'
defaults\t'Accept with the schema\'s defaults'
decline\t'Say no'
cancel\t'Dismiss it'"
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from schema" -l open -d 'Whether URLs that a server asks to visit are opened, after a yes: ask, never, or a command that is given the URL' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from schema" -l record-answers -d 'Write what is answered to this file, as an answer file for a later run' -r -F
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from schema" -l root -d 'Tell the server of a folder it may work in, when it asks (repeatable); a path or a file:// URI' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from schema" -l sampling-cmd -d 'Answer sampling requests with a shell command: the params on its stdin, the reply on its stdout' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from schema" -l sampling-text -d 'Answer sampling requests with this text' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from schema" -l sampling-model -d 'The model to name in replies that name none' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from schema" -l log-level -d 'Ask for the server\'s log messages of this level and above, and show them' -r -f -a "debug\t''
info\t''
notice\t''
warning\t''
error\t''
critical\t''
alert\t''
emergency\t''"
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from schema" -l cap -d 'Declare this capability, with these sub-features, though nothing here may answer (repeatable)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from schema" -l no-cap -d 'Do not declare this capability (repeatable)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from schema" -l protocol -d 'Protocol to speak: auto (the handshake, else 2026-07-28), legacy, modern (2026-07-28), a version, or both (a call in each, compared)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from schema" -l max-rounds -d 'How often a call may ask for input and be made again (2026-07-28)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from schema" -l timeout -d 'Longest wait for an answer (for the handshake at least --connect-timeout); stands still while you are asked, starts again with progress; 0 waits for ever [default: 0 at a terminal, else 300]' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from schema" -l connect-timeout -d 'Longest wait for a connection (HTTP), and for a sign that a server speaks the protocol it is tried in' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from schema" -l cacert -d 'Trust the certificates in this PEM file too' -r -F
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from schema" -l proxy -d 'Proxy to use, instead of what the environment says' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from schema" -l max-message-size -d 'Largest message to accept, in bytes; K, M and G may follow' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from schema" -l trace-file -d 'Write each message to this file, one JSON object a line, secrets masked' -r -F
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from schema" -l no-input -d 'Never ask at the terminal'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from schema" -l lenient-answers -d 'Let entries of the answer file go unused'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from schema" -l sampling-tools -d 'Declare that replies may use the tools a sampling request brings (sampling.tools)'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from schema" -l sampling-context -d 'Declare that sampling requests may ask for context (sampling.context)'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from schema" -l yes-sampling -d 'Let sampling requests and replies pass without approval at the terminal'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from schema" -l insecure -d 'Accept any certificate'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from schema" -l json -d 'Print the server\'s result object as it is, and a failure as one line of JSON on stderr'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from schema" -s q -l quiet -d 'Nothing on stderr but errors'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from schema" -s v -l verbose -d 'Show notifications of every kind'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from schema" -l trace -d 'Show each message that crosses the wire, secrets masked'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from schema" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from help" -f -a "check" -d 'Say whether answer files are right, and what is wrong with them'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from help" -f -a "stub" -d 'Print an answer file for the questions of a run, with the answers they got'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from help" -f -a "schema" -d 'Print the JSON Schema of answer files, for editors'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand answers; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand completions" -l url -d 'A server by its address' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand completions" -l stdio -d 'A server to start: program and arguments in one string, quoted as in a shell' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand completions" -s H -l header -d 'Send a header with every request (repeatable; HTTP)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand completions" -s e -l env -d 'Set an environment variable of the started server (repeatable)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand completions" -l cwd -d 'Start the server in this folder' -r -F
complete -c mcpcall -n "__fish_mcpcall_using_subcommand completions" -l auto-answer -d 'Answer questions from this JSON file; the short form is {"name": "Ada"}' -r -F
complete -c mcpcall -n "__fish_mcpcall_using_subcommand completions" -l answer -d 'Fill any form field of this name (repeatable)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand completions" -l on-elicit -d 'What to do with a form that no answer fits [default: prompt at a terminal, else fail]' -r -f -a "prompt\t'Ask at the terminal'
fail\t'Refuse it and exit 7'
defaults\t'Accept with the schema\'s defaults'
decline\t'Say no'
cancel\t'Dismiss it'"
complete -c mcpcall -n "__fish_mcpcall_using_subcommand completions" -l open -d 'Whether URLs that a server asks to visit are opened, after a yes: ask, never, or a command that is given the URL' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand completions" -l record-answers -d 'Write what is answered to this file, as an answer file for a later run' -r -F
complete -c mcpcall -n "__fish_mcpcall_using_subcommand completions" -l root -d 'Tell the server of a folder it may work in, when it asks (repeatable); a path or a file:// URI' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand completions" -l sampling-cmd -d 'Answer sampling requests with a shell command: the params on its stdin, the reply on its stdout' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand completions" -l sampling-text -d 'Answer sampling requests with this text' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand completions" -l sampling-model -d 'The model to name in replies that name none' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand completions" -l log-level -d 'Ask for the server\'s log messages of this level and above, and show them' -r -f -a "debug\t''
info\t''
notice\t''
warning\t''
error\t''
critical\t''
alert\t''
emergency\t''"
complete -c mcpcall -n "__fish_mcpcall_using_subcommand completions" -l cap -d 'Declare this capability, with these sub-features, though nothing here may answer (repeatable)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand completions" -l no-cap -d 'Do not declare this capability (repeatable)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand completions" -l protocol -d 'Protocol to speak: auto (the handshake, else 2026-07-28), legacy, modern (2026-07-28), a version, or both (a call in each, compared)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand completions" -l max-rounds -d 'How often a call may ask for input and be made again (2026-07-28)' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand completions" -l timeout -d 'Longest wait for an answer (for the handshake at least --connect-timeout); stands still while you are asked, starts again with progress; 0 waits for ever [default: 0 at a terminal, else 300]' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand completions" -l connect-timeout -d 'Longest wait for a connection (HTTP), and for a sign that a server speaks the protocol it is tried in' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand completions" -l cacert -d 'Trust the certificates in this PEM file too' -r -F
complete -c mcpcall -n "__fish_mcpcall_using_subcommand completions" -l proxy -d 'Proxy to use, instead of what the environment says' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand completions" -l max-message-size -d 'Largest message to accept, in bytes; K, M and G may follow' -r
complete -c mcpcall -n "__fish_mcpcall_using_subcommand completions" -l trace-file -d 'Write each message to this file, one JSON object a line, secrets masked' -r -F
complete -c mcpcall -n "__fish_mcpcall_using_subcommand completions" -l no-input -d 'Never ask at the terminal'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand completions" -l lenient-answers -d 'Let entries of the answer file go unused'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand completions" -l sampling-tools -d 'Declare that replies may use the tools a sampling request brings (sampling.tools)'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand completions" -l sampling-context -d 'Declare that sampling requests may ask for context (sampling.context)'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand completions" -l yes-sampling -d 'Let sampling requests and replies pass without approval at the terminal'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand completions" -l insecure -d 'Accept any certificate'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand completions" -l json -d 'Print the server\'s result object as it is, and a failure as one line of JSON on stderr'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand completions" -s q -l quiet -d 'Nothing on stderr but errors'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand completions" -s v -l verbose -d 'Show notifications of every kind'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand completions" -l trace -d 'Show each message that crosses the wire, secrets masked'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand completions" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand help; and not __fish_seen_subcommand_from call list resume info listen request answers completions help" -f -a "call" -d 'Call a tool (for a tool that is named like a verb)'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand help; and not __fish_seen_subcommand_from call list resume info listen request answers completions help" -f -a "list" -d 'List what the server has'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand help; and not __fish_seen_subcommand_from call list resume info listen request answers completions help" -f -a "resume" -d 'Go on with a call that --save-state has written down'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand help; and not __fish_seen_subcommand_from call list resume info listen request answers completions help" -f -a "info" -d 'Say what the server is, what it can do, and which protocol versions it answers in'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand help; and not __fish_seen_subcommand_from call list resume info listen request answers completions help" -f -a "listen" -d 'Print the server\'s notifications until ^C'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand help; and not __fish_seen_subcommand_from call list resume info listen request answers completions help" -f -a "request" -d 'Make any request and print its result as JSON'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand help; and not __fish_seen_subcommand_from call list resume info listen request answers completions help" -f -a "answers" -d 'Check answer files, make one of a trace, or print their JSON Schema'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand help; and not __fish_seen_subcommand_from call list resume info listen request answers completions help" -f -a "completions" -d 'Print a completion script for a shell'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand help; and not __fish_seen_subcommand_from call list resume info listen request answers completions help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand help; and __fish_seen_subcommand_from answers" -f -a "check" -d 'Say whether answer files are right, and what is wrong with them'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand help; and __fish_seen_subcommand_from answers" -f -a "stub" -d 'Print an answer file for the questions of a run, with the answers they got'
complete -c mcpcall -n "__fish_mcpcall_using_subcommand help; and __fish_seen_subcommand_from answers" -f -a "schema" -d 'Print the JSON Schema of answer files, for editors'
