//! Files made from the definition of the command line.

use clap_complete::Shell;
use clap_complete::env::{Elvish, EnvCompleter, Powershell};

/// The script that makes a shell ask us what may stand at the cursor, where that script is clap's.
pub(crate) fn registration(shell: Shell, variable: &str) -> String {
    let mut script = Vec::new();
    let completer: &dyn EnvCompleter = if shell == Shell::Elvish { &Elvish } else { &Powershell };
    // A text that is kept in memory takes all that is written.
    let _ = completer.write_registration(variable, "mcpcall", "mcpcall", "mcpcall", &mut script);
    String::from_utf8_lossy(&script).trim().to_owned() + "\n"
}
