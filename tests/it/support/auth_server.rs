//! An authorization server inside the test, and an MCP server that it guards (`/mcp`, one tool). What a path answers can
//! be replaced, and everything that came is kept, with every secret that was in play.
//!
//! ```ignore
//! let server = AuthServer::start();
//! server.reply("/token", Answer::json(400, r#"{"error": "invalid_grant"}"#));
//! mcpcall(["t"]).args(browser()).url(&server.mcp()).code(3).any_stderr().check();
//! ```

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use serde_json::{Value, json};

/// The flags that make `curl` the browser.
pub(crate) fn browser() -> [&'static str; 2] {
    ["--open", "curl -sSL -o /dev/null"]
}

/// A request as it came.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    /// `POST /token`.
    pub(crate) line: String,
    pub(crate) headers: HashMap<String, String>,
    /// The query, or the form of the body.
    pub(crate) form: HashMap<String, String>,
    /// The body as JSON, where it is such.
    pub(crate) body: Value,
}

/// What a path answers instead; `$origin`, `$state`, `$redirect`, `$code`, `$authorization` and `$id` are put in.
#[derive(Clone)]
pub(crate) struct Answer {
    status: u16,
    headers: String,
    body: String,
}

impl Answer {
    pub(crate) fn status(status: u16) -> Answer {
        Answer { status, headers: String::new(), body: String::new() }
    }

    pub(crate) fn json(status: u16, body: impl Into<String>) -> Answer {
        Answer { body: body.into(), ..Answer::status(status).header("Content-Type", "application/json") }
    }

    /// None, until the client gives up.
    pub(crate) fn silence() -> Answer {
        Answer::status(0)
    }

    /// A body that never ends, a blank now and then.
    pub(crate) fn drip() -> Answer {
        Answer::status(1)
    }

    pub(crate) fn redirect(to: &str) -> Answer {
        Answer::status(302).header("Location", to)
    }

    pub(crate) fn header(mut self, name: &str, value: &str) -> Answer {
        self.headers += &format!("{name}: {value}\r\n");
        self
    }
}

/// The running server.
pub(crate) struct AuthServer {
    pub(crate) origin: String,
    shared: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    origin: String,
    replies: HashMap<String, Answer>,
    /// Members of the metadata to replace; null leaves one out.
    metadata: HashMap<String, Value>,
    seen: Vec<Seen>,
    secrets: Vec<String>,
    /// Challenges by code.
    codes: HashMap<String, String>,
    tokens: HashMap<String, Instant>,
    refresh: Vec<String>,
    lifetime: Option<u64>,
    scope: Option<String>,
    n: usize,
}

impl AuthServer {
    pub(crate) fn start() -> AuthServer {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("there is a free port");
        let origin = format!("http://{}", listener.local_addr().expect("a bound socket has an address"));
        let state = State { origin: origin.clone(), lifetime: Some(3600), ..State::default() };
        let shared = Arc::new(Mutex::new(state));
        let for_thread = Arc::clone(&shared);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let shared = Arc::clone(&for_thread);
                std::thread::spawn(move || serve(&stream, &shared));
            }
        });
        AuthServer { origin, shared }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.shared.lock().expect("no thread panics while it holds this lock")
    }

    /// The address of the MCP server.
    pub(crate) fn mcp(&self) -> String {
        format!("{}/mcp", self.origin)
    }

    /// From now on this path answers so.
    pub(crate) fn reply(&self, path: &str, answer: Answer) {
        self.state().replies.insert(path.into(), answer);
    }

    /// From now on this path answers as usual.
    pub(crate) fn as_usual(&self, path: &str) {
        self.state().replies.remove(path);
    }

    /// A member of the authorization server's metadata; null leaves it out.
    pub(crate) fn metadata(&self, key: &str, value: Value) {
        self.state().metadata.insert(key.into(), value);
    }

    /// How long tokens last from now on, in seconds; `None`: it is not said.
    pub(crate) fn lifetime(&self, seconds: Option<u64>) {
        self.state().lifetime = seconds;
    }

    /// The scope that the challenge of the MCP server asks for.
    pub(crate) fn scope(&self, scope: &str) {
        self.state().scope = Some(scope.into());
    }

    /// No token that was given is of use any more.
    pub(crate) fn forget_tokens(&self) {
        self.state().tokens.clear();
    }

    /// No login can be made to last any more.
    pub(crate) fn forget_refresh(&self) {
        self.state().refresh.clear();
    }

    /// The requests of this kind so far: `POST /token`.
    pub(crate) fn seen(&self, line: &str) -> Vec<Seen> {
        self.state().seen.iter().filter(|seen| seen.line == line).cloned().collect()
    }

    /// All requests so far, `POST /token` and the like.
    pub(crate) fn lines(&self) -> Vec<String> {
        self.state().seen.iter().map(|seen| seen.line.clone()).collect()
    }

    /// Everything that must never be shown: codes, verifiers, tokens, secrets, statements.
    pub(crate) fn secrets(&self) -> Vec<String> {
        self.state().secrets.clone()
    }

    /// Whether a token is good, as a resource server asks it.
    #[track_caller]
    pub(crate) fn nothing_secret_in(&self, text: &str) {
        for secret in self.secrets() {
            assert!(!text.contains(&secret), "{secret} is in\n{text}");
        }
    }
}

fn serve(stream: &TcpStream, shared: &Mutex<State>) {
    let Some(seen) = read(stream) else { return };
    let mut state = shared.lock().expect("no thread panics while it holds this lock");
    let answer = state.answer(&seen);
    let origin = state.origin.clone();
    state.seen.push(seen.clone());
    drop(state);
    let get = |name: &str| seen.form.get(name).map_or("", String::as_str);
    let fill = |text: &str| {
        let text = text.replace("$origin", &origin).replace("$state", get("state"));
        text.replace("$redirect", get("redirect_uri"))
            .replace("$code", get("code"))
            .replace("$authorization", seen.headers.get("authorization").map_or("", String::as_str))
            .replace("$id", &seen.body["id"].to_string())
    };
    let mut stream = stream;
    if answer.status < 2 {
        let begun = answer.status == 0 || stream.write_all(b"HTTP/1.1 200 Test\r\n\r\n").is_ok();
        let _ = stream.set_read_timeout(Some(Duration::from_millis(100)));
        // Nothing more comes before the client is gone.
        while begun && !matches!(stream.read(&mut [0]), Ok(0)) {
            if answer.status == 1 && stream.write_all(b" ").is_err() {
                return;
            }
        }
        return;
    }
    let body = fill(&answer.body);
    let head = format!("HTTP/1.1 {} Test\r\n{}", answer.status, fill(&answer.headers));
    let head = format!("{head}Content-Length: {}\r\nConnection: close\r\n\r\n", body.len());
    let _ = stream.write_all(format!("{head}{body}").as_bytes());
}

impl State {
    fn answer(&mut self, seen: &Seen) -> Answer {
        for (name, value) in &seen.form {
            if [
                "code",
                "code_verifier",
                "refresh_token",
                "assertion",
                "subject_token",
                "client_secret",
                "client_assertion",
            ]
            .contains(&name.as_str())
            {
                self.secrets.push(value.clone());
            }
        }
        let path = seen.line.split(' ').nth(1).unwrap_or_default();
        if let Some(answer) = self.replies.get(path) {
            return answer.clone();
        }
        match path {
            "/.well-known/oauth-protected-resource/mcp" => Answer::json(
                200,
                r#"{"resource": "$origin/mcp", "authorization_servers": ["$origin"], "scopes_supported": ["read"]}"#,
            ),
            "/.well-known/oauth-authorization-server" => Answer::json(200, self.document().to_string()),
            "/register" => {
                let id = self.next("client");
                Answer::json(201, json!({ "client_id": id, "token_endpoint_auth_method": "none" }).to_string())
            }
            "/authorize" => {
                let code = self.secret("c0de");
                let challenge = seen.form.get("code_challenge").cloned().unwrap_or_default();
                self.codes.insert(code.clone(), challenge);
                Answer::redirect(&format!("$redirect?code={code}&state=$state&iss=$origin"))
            }
            "/token" => self.token(seen),
            "/revoke" => Answer::status(200),
            "/introspect" => {
                let token = seen.form.get("token").cloned().unwrap_or_default();
                Answer::json(200, json!({ "active": self.is_good(&token) }).to_string())
            }
            "/mcp" => self.mcp(seen),
            _ => Answer::status(404),
        }
    }

    fn document(&self) -> Value {
        let mut document = json!({
            "issuer": "$origin",
            "authorization_endpoint": "$origin/authorize",
            "token_endpoint": "$origin/token",
            "registration_endpoint": "$origin/register",
            "revocation_endpoint": "$origin/revoke",
            "code_challenge_methods_supported": ["S256"],
            "authorization_response_iss_parameter_supported": true,
        });
        for (key, value) in &self.metadata {
            match value {
                Value::Null => drop(document.as_object_mut().expect("an object").remove(key)),
                value => document[key] = value.clone(),
            }
        }
        document
    }

    fn token(&mut self, seen: &Seen) -> Answer {
        let get = |name: &str| seen.form.get(name).cloned().unwrap_or_default();
        let wrong = |error: &str| Answer::json(400, json!({ "error": error }).to_string());
        match get("grant_type").as_str() {
            "authorization_code" => {
                let challenge = self.codes.remove(&get("code"));
                let digest = ring::digest::digest(&ring::digest::SHA256, get("code_verifier").as_bytes());
                if challenge != Some(URL_SAFE_NO_PAD.encode(digest)) {
                    return wrong("invalid_grant");
                }
            }
            // A refresh token is used once.
            "refresh_token" => match self.refresh.iter().position(|known| *known == get("refresh_token")) {
                Some(at) => drop(self.refresh.remove(at)),
                None => return wrong("invalid_grant"),
            },
            _ => {}
        }
        let (token, refresh) = (self.secret("t0ken"), self.secret("refr3sh"));
        let lasts = Duration::from_secs(self.lifetime.unwrap_or(3600));
        self.tokens.insert(token.clone(), Instant::now() + lasts);
        self.refresh.push(refresh.clone());
        let mut answer = json!({ "access_token": token, "token_type": "Bearer", "refresh_token": refresh });
        if let Some(seconds) = self.lifetime {
            answer["expires_in"] = seconds.into();
        }
        Answer::json(200, answer.to_string())
    }

    fn is_good(&self, token: &str) -> bool {
        self.tokens.get(token).is_some_and(|end| Instant::now() < *end)
    }

    /// The guarded MCP server.
    fn mcp(&mut self, seen: &Seen) -> Answer {
        let token = seen.headers.get("authorization").and_then(|value| value.strip_prefix("Bearer "));
        if !token.is_some_and(|token| self.is_good(token)) {
            let scope = self.scope.as_ref().map_or_else(String::new, |scope| format!(", scope=\"{scope}\""));
            let link = "resource_metadata=\"$origin/.well-known/oauth-protected-resource/mcp\"";
            return Answer::status(401).header("WWW-Authenticate", &format!("Bearer {link}{scope}"));
        }
        let result = match seen.body["method"].as_str() {
            Some("initialize") => {
                r#"{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"guarded"}}"#
            }
            Some("tools/list") => r#"{"tools":[{"name":"t","inputSchema":{"type":"object"}}]}"#,
            Some("ping") => "{}",
            Some("tools/call") => r#"{"content":[{"type":"text","text":"let in"}]}"#,
            Some(_) => return Answer::status(202),
            None => return Answer::status(405),
        };
        Answer::json(200, format!(r#"{{"jsonrpc":"2.0","id":$id,"result":{result}}}"#))
    }

    fn next(&mut self, word: &str) -> String {
        self.n += 1;
        format!("{word}-{}-{:x}", self.n, fastrand::u64(..))
    }

    fn secret(&mut self, word: &str) -> String {
        let secret = self.next(word);
        self.secrets.push(secret.clone());
        secret
    }
}

fn read(stream: &TcpStream) -> Option<Seen> {
    let mut reader = BufReader::new(stream);
    let mut next = || {
        let mut line = String::new();
        (reader.read_line(&mut line).ok()? > 0).then(|| line.trim_end().to_owned())
    };
    let first = next()?;
    let (method, target) = first.split_once(' ')?;
    let target = target.split(' ').next()?;
    let mut headers = HashMap::new();
    while let Some((name, value)) = next()?.split_once(':') {
        headers.insert(name.to_ascii_lowercase(), value.trim().to_owned());
    }
    let length = headers.get("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    // Through a proxy the target is a whole address.
    let target = target.split_once("://").map_or(target, |(_, rest)| rest.find('/').map_or("/", |at| &rest[at..]));
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let is_form = headers.get("content-type").is_some_and(|kind| kind.contains("form"));
    let pairs = if is_form { form_urlencoded::parse(&body) } else { form_urlencoded::parse(query.as_bytes()) };
    let form = pairs.map(|(name, value)| (name.into_owned(), value.into_owned())).collect();
    let body = serde_json::from_slice(&body).unwrap_or_default();
    Some(Seen { line: format!("{method} {path}"), headers, form, body })
}

/// What Basic authentication sends.
pub(crate) fn basic(id: &str, secret: &str) -> String {
    format!("Basic {}", STANDARD.encode(format!("{id}:{secret}")))
}
