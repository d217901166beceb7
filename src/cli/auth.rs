//! How to get past a server that wants authorization, and `mcpcall auth …`.

use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Authorization settings.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Authorization (with --url)")]
pub(crate) struct AuthFlags {
    /// Send the token in this environment variable
    #[arg(long, value_name = "VAR", global = true)]
    pub(crate) bearer_env: Option<String>,

    /// Never log in by itself: what is stored must do (for CI)
    #[arg(long, global = true)]
    pub(crate) no_login: bool,

    /// Open no browser to log in: paste the address back that it was sent to (for remote shells)
    #[arg(long, global = true)]
    pub(crate) no_browser: bool,

    /// How to get a token
    #[arg(long, value_enum, value_name = "HOW", default_value = "code", global = true)]
    pub(crate) grant: Grant,

    /// A client that is registered with the authorization server
    #[arg(long, value_name = "ID", global = true)]
    pub(crate) client_id: Option<String>,

    /// Its secret, in a file
    #[arg(long, value_name = "FILE", requires = "client_id", global = true)]
    pub(crate) client_secret_file: Option<PathBuf>,

    /// Its private key, in a PEM file (PKCS#8)
    #[arg(long, value_name = "FILE", global = true)]
    pub(crate) client_key: Option<PathBuf>,

    /// What the key signs with: ES256, ES384, EdDSA, RS256 or PS256 [default: as the key is made]
    #[arg(long, value_name = "ALG", requires = "client_key", global = true)]
    pub(crate) client_key_alg: Option<String>,

    /// The key's name, where the server knows several
    #[arg(long, value_name = "KID", requires = "client_key", global = true)]
    pub(crate) client_key_id: Option<String>,

    /// A document that describes this client (CIMD), for servers that read such
    #[arg(long, value_name = "URL", global = true)]
    pub(crate) client_metadata_url: Option<String>,

    /// Where the browser comes back to, if the client is registered with one place only
    #[arg(long, value_name = "http://127.0.0.1:PORT/PATH", global = true)]
    pub(crate) redirect_uri: Option<String>,

    /// Scopes to ask for, instead of what the server says
    #[arg(long, value_name = "SCOPES", global = true)]
    pub(crate) scope: Option<String>,

    /// The signed statement for --grant jwt-bearer
    #[arg(long, value_name = "FILE", global = true)]
    pub(crate) assertion_file: Option<PathBuf>,

    /// The token endpoint of the identity provider, for --grant id-jag
    #[arg(long, value_name = "URL", global = true)]
    pub(crate) idp_token_url: Option<String>,

    /// The client's name there
    #[arg(long, value_name = "ID", global = true)]
    pub(crate) idp_client_id: Option<String>,

    /// Its secret there, in a file
    #[arg(long, value_name = "FILE", global = true)]
    pub(crate) idp_client_secret_file: Option<PathBuf>,

    /// The ID token that it gave you, in a file
    #[arg(long, value_name = "FILE", global = true)]
    pub(crate) idp_id_token_file: Option<PathBuf>,

    /// Accept only tokens that are bound to a key (DPoP)
    #[arg(long, global = true)]
    pub(crate) dpop: bool,

    /// Log in though it goes over plain http, which others can read
    #[arg(long, global = true)]
    pub(crate) insecure_http: bool,

    /// A login is what the user wants.
    #[arg(skip)]
    pub(crate) is_wanted: bool,

    /// Where logins are kept [default: $XDG_STATE_HOME/mcpcall, else ~/.local/state/mcpcall]
    #[arg(long, value_name = "DIR", global = true)]
    pub(crate) state_dir: Option<PathBuf>,
}

impl AuthFlags {
    /// A flag that says how to get a token.
    pub(crate) fn named(&self) -> Option<&'static str> {
        let flags = [
            ("--client-id", self.client_id.is_some()),
            ("--client-key", self.client_key.is_some()),
            ("--client-metadata-url", self.client_metadata_url.is_some()),
            ("--grant", self.grant != Grant::Code),
            ("--scope", self.scope.is_some()),
            ("--redirect-uri", self.redirect_uri.is_some()),
            ("--assertion-file", self.assertion_file.is_some()),
            ("--idp-token-url", self.idp_token_url.is_some()),
            ("--idp-client-id", self.idp_client_id.is_some()),
            ("--idp-client-secret-file", self.idp_client_secret_file.is_some()),
            ("--idp-id-token-file", self.idp_id_token_file.is_some()),
            ("--dpop", self.dpop),
            ("--no-browser", self.no_browser),
        ];
        flags.into_iter().find(|(_, is_given)| *is_given).map(|(flag, _)| flag)
    }
}

/// How a token is had.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Grant {
    /// You log in
    #[default]
    Code,
    /// The client by itself
    ClientCredentials,
    /// By a signed statement
    JwtBearer,
    /// By way of an identity provider
    IdJag,
}

/// What to do with logins.
#[derive(Debug, Clone, Subcommand)]
pub(crate) enum AuthVerb {
    /// List the logins that are kept, or the one of --url
    Status,
}
