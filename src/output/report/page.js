"use strict";
// Draws the report. Whatever came from elsewhere is put in as text, never as markup. Only the rows in view exist.
(() => {
  const ROW = 36;
  const LONG = 20000;
  const KINDS = ["call", "reply", "ask", "answer", "error", "log", "progress", "notification", "http", "stderr", "note"];
  const byId = (id) => document.getElementById(id);
  const make = (tag, className, text) => {
    const made = document.createElement(tag);
    if (className) made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
  };
  /** What would reorder or hide text is shown. */
  const visible = (text) =>
    text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g,
      (c) => "\\u{" + c.codePointAt(0).toString(16) + "}");
  const oneLine = (text) => visible(text.slice(0, 300)).replace(/\s+/g, " ");
  /** A number that JavaScript would write otherwise: it keeps what was sent, where the browser tells that. */
  class Digits {
    constructor(source) { this.source = source; }
    toString() { return this.source; }
    toJSON() { return JSON.rawJSON(this.source); }
  }
  const keepDigits = (_, value, context) =>
    (typeof value === "number" && JSON.rawJSON && context?.source !== String(value) ? new Digits(context.source) : value);
  const parse = (text) => {
    const isOdd = /\d{16}|[:,[\s]-?\d+(\.\d|[eE])/.test(text);
    // Keeping digits goes less deep.
    for (const keep of isOdd ? [keepDigits, undefined] : [undefined]) {
      try { return JSON.parse(text, keep); } catch { continue; }
    }
    return undefined;
  };
  const gist = (value) => {
    if (typeof value === "string") return oneLine(value);
    // What is nested too deep has no gist.
    try { return value === undefined ? "" : oneLine(JSON.stringify(value)); } catch { return "…"; }
  };
  const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
  const of = (value, ...path) => path.reduce((at, key) => (isObject(at) || Array.isArray(at) ? at[key] : undefined), value);
  const time = (seconds) => (seconds < 10 ? seconds.toFixed(3) : seconds < 1000 ? seconds.toFixed(2) : seconds.toFixed(0));
  const took = (seconds) => (seconds < 1 ? (seconds * 1000).toFixed(seconds < 0.01 ? 1 : 0) + " ms" : time(seconds) + " s");

  // What a message is.

  function contentText(result) {
    const content = of(result, "content");
    return Array.isArray(content) ? content.map((block) => of(block, "text") ?? "[" + of(block, "type") + "]").join(" ") : result;
  }

  function notification(method, params) {
    if (method === "notifications/message") {
      const logger = of(params, "logger");
      return { kind: "log", what: [of(params, "level"), logger].filter(Boolean).map(gist).join(" "), about: gist(of(params, "data")) };
    }
    if (method === "notifications/progress") {
      const total = of(params, "total");
      const far = gist(of(params, "progress")) + (total === undefined ? "" : "/" + gist(total));
      return { kind: "progress", what: "progress " + far, about: gist(of(params, "message")) };
    }
    return { kind: "notification", what: gist(method), about: gist(params) };
  }

  function request(record, message) {
    const { method, params } = message;
    const responses = of(params, "inputResponses");
    const about = gist(of(params, "name") ?? of(params, "message") ?? of(params, "uri") ?? of(params, "protocolVersion") ?? "");
    const what = gist(method) + (responses ? " with answers" : "");
    return { kind: record.dir === "sent" ? (responses ? "answer" : "call") : "ask", what, about };
  }

  function response(record, message, asked) {
    const of_ = asked ? gist(of(asked.message, "method")) : "";
    const { result, error } = message;
    if (error !== undefined) {
      return { kind: "error", what: "error " + gist(of(error, "code") ?? ""), about: gist(of(error, "message") ?? error) };
    }
    if (record.dir === "sent") {
      const content = of(result, "content");
      return { kind: "answer", what: gist(of(result, "action") ?? of_), about: gist(content ?? "") };
    }
    if (of(result, "isError") === true) return { kind: "error", what: "tool error", about: gist(contentText(result)) };
    const questions = of(result, "inputRequests");
    if (isObject(questions)) {
      const about = Object.values(questions).map((question) => of(question, "params", "message") ?? of(question, "method"));
      return { kind: "ask", what: "input required", about: gist(about.join(", ")) };
    }
    return { kind: "reply", what: of_ + " result", about: gist(contentText(result)) };
  }

  const open = { sent: new Map(), received: new Map() };

  function describe(row) {
    const { record, message } = row;
    const { dir } = record;
    if (dir === "gap") return { kind: "note", what: `${record.count} messages are not kept here`, about: "the report is full; --trace-file has all of them" };
    if (dir === "stderr") return { kind: "stderr", what: "", about: oneLine(record.text) };
    if (dir === "note") return { kind: "note", what: oneLine(record.label), about: oneLine(record.text) };
    if (isObject(message) && message.method !== undefined) {
      if (message.id === undefined) return notification(message.method, message.params);
      open[dir].set(String(message.id), row);
      return request(record, message);
    }
    if (isObject(message) && (message.result !== undefined || message.error !== undefined)) {
      const asker = open[dir === "sent" ? "received" : "sent"];
      const asked = asker.get(String(message.id));
      if (asked) {
        asker.delete(String(message.id));
        row.mate = asked;
        asked.mate = row;
        asked.took = record.t - asked.record.t;
      }
      return response(record, message, asked);
    }
    const status = Number.parseInt(record.line ?? "", 10);
    const what = oneLine(record.line || "text");
    return { kind: status >= 400 ? "error" : "http", what, about: record.text === undefined ? "" : oneLine(record.text) };
  }

  const end = JSON.parse(byId("end").textContent);
  const rows = [];
  let last = 0;
  for (const line of byId("records").textContent.split("\n")) {
    if (line === "") continue;
    const record = JSON.parse(line);
    last = record.t ?? last;
    record.t = last;
    const whole = record.text === undefined ? undefined : parse(record.text);
    const messages = record.dir === "stderr" || record.dir === "note" ? [undefined] : Array.isArray(whole) && whole.length ? whole : [whole];
    for (const [part, message] of messages.entries()) {
      const row = { n: rows.length, record, message, part: whole === messages ? part : undefined };
      // A server may send what no code expects, such as an object with a `toString` of its own for an id.
      try { Object.assign(row, describe(row)); } catch { Object.assign(row, { kind: "notification", what: "odd message", about: "" }); }
      rows.push(row);
    }
  }

  // The head.

  const badge = byId("badge");
  badge.textContent = end.exit === 0 ? "exit 0" : `exit ${end.exit} · ${end.kind}`;
  badge.classList.toggle("bad", end.exit !== 0);
  byId("message").textContent = visible(end.message ?? "The run ended well.");
  for (const hint of end.hints ?? []) byId("hints").append(make("li", "", visible(hint)));
  byId("failure").textContent = visible([end.detail, end.detail ? null : end.data].filter(Boolean).join("\n"));
  byId("command").textContent = visible(end.command);
  const hello = rows.find((row) => of(row.message, "result", "serverInfo") || of(row.message, "result", "supportedVersions"));
  const server = of(hello, "message", "result", "serverInfo") ??
    of(rows.map((row) => of(row.message, "result", "_meta", "io.modelcontextprotocol/serverInfo")).find(Boolean) ?? {});
  const called = rows.find((row) => row.kind === "call" && of(row.message, "params", "_meta", "io.modelcontextprotocol/protocolVersion"));
  const version = of(hello, "message", "result", "protocolVersion") ??
    of(called, "message", "params", "_meta", "io.modelcontextprotocol/protocolVersion");
  const name = of(server, "name");
  if (name) byId("server").textContent = gist(name);
  const facts = [
    name && `${gist(name)} ${gist(of(server, "version") ?? "")}`.trim(),
    version && `MCP ${gist(version)}`,
    rows.some((row) => row.record.line) ? "HTTP" : "stdio",
    took(end.seconds),
    new Date(end.started).toLocaleString(),
    `mcpcall ${end.version}`,
  ];
  byId("facts").textContent = facts.filter(Boolean).join(" · ");
  document.title = `${badge.textContent} · mcpcall report`;

  // Which rows are shown.

  let shown = rows;
  let chosen;
  const hidden = new Set();
  const haystack = (row) =>
    (row.hay ??= [row.what, row.about, row.record.line, row.record.text, ...(row.record.headers ?? []).map((pair) => pair.join(": "))]
      .join("\n").toLowerCase());

  function filter() {
    const wanted = byId("search").value.toLowerCase();
    shown = rows.filter((row) => !hidden.has(row.kind) && (wanted === "" || haystack(row).includes(wanted)));
    const all = rows.length === 1 ? "1 message" : `${rows.length} messages`;
    byId("shown").textContent = shown.length === rows.length ? all : `${shown.length} of ${all}`;
    byId("rows").style.height = `${shown.length * ROW}px`;
    draw();
  }

  for (const kind of KINDS) {
    const count = rows.filter((row) => row.kind === kind).length;
    if (count === 0) continue;
    const label = make("label", kind);
    const box = make("input");
    box.type = "checkbox";
    box.checked = true;
    box.name = kind;
    box.addEventListener("change", () => {
      if (box.checked) hidden.delete(kind);
      else hidden.add(kind);
      filter();
    });
    label.append(box, ` ${kind} `, make("i", "", String(count)));
    byId("kinds").append(label);
  }

  // The rows in view.

  const list = byId("list");

  function drawn(row, at) {
    const made = make("div", `row ${row.record.dir} ${row.kind}`);
    made.id = `m${row.n}`;
    made.setAttribute("role", "option");
    made.setAttribute("aria-setsize", shown.length);
    made.setAttribute("aria-posinset", at + 1);
    made.setAttribute("aria-selected", row === chosen);
    made.classList.toggle("chosen", row === chosen);
    made.classList.toggle("mate", chosen !== undefined && row === chosen.mate);
    made.style.transform = `translateY(${at * ROW}px)`;
    const wire = make("span", "wire");
    if (row.what) wire.append(make("b", "", row.what));
    if (row.about) wire.append(make("span", "", row.about));
    made.append(make("span", "time", time(row.record.t)), wire);
    made.append(make("span", row.took > 1 ? "took slow" : "took", row.took === undefined ? "" : took(row.took)));
    made.addEventListener("click", () => choose(row));
    return made;
  }

  function draw() {
    const first = Math.max(0, Math.floor(list.scrollTop / ROW) - 10);
    const until = Math.min(shown.length, Math.ceil((list.scrollTop + list.clientHeight) / ROW) + 10);
    byId("rows").replaceChildren(...shown.slice(first, until).map((row, at) => drawn(row, first + at)));
    if (chosen) list.setAttribute("aria-activedescendant", `m${chosen.n}`);
  }

  function choose(row) {
    if (!row) return;
    chosen = row;
    const at = shown.indexOf(row);
    if (at < 0) {
      // It is filtered away: all are shown again.
      hidden.clear();
      byId("search").value = "";
      document.querySelectorAll("#kinds input").forEach((box) => { box.checked = true; });
      filter();
      return choose(row);
    }
    if (at * ROW < list.scrollTop) list.scrollTop = at * ROW;
    if ((at + 1) * ROW > list.scrollTop + list.clientHeight) list.scrollTop = (at + 1) * ROW - list.clientHeight;
    draw();
    detail(row);
    history.replaceState(null, "", `#${row.n}`);
  }

  // One message.

  const WORDS = {
    call: "Request to the server", reply: "Result", ask: "Question of the server", answer: "Answer to the server", error: "Error",
    log: "Log", progress: "Progress", notification: "Notification", http: "HTTP", stderr: "Stderr of the server", note: "mcpcall",
  };

  function detail(row) {
    const { record } = row;
    const way = { sent: "client → server", received: "server → client" }[record.dir];
    const facts = [WORDS[row.kind], way, record.era, `at ${time(record.t)} s`, row.part !== undefined && "part of a batch"];
    const actions = make("div", "actions");
    const tree = make("div", "tree");
    if (row.mate) {
      const isReply = row.mate.took !== undefined;
      const spent = took(isReply ? row.mate.took : row.took);
      const go = make("button", "", isReply ? `← its request (${spent})` : `→ its reply (${spent})`);
      go.addEventListener("click", () => choose(row.mate));
      actions.append(go);
    }
    if (row.message !== undefined) {
      const raw = make("button", "", "As sent");
      raw.setAttribute("aria-pressed", "false");
      raw.addEventListener("click", () => {
        const isRaw = raw.getAttribute("aria-pressed") === "false";
        raw.setAttribute("aria-pressed", String(isRaw));
        raw.textContent = isRaw ? "As a tree" : "As sent";
        tree.replaceChildren(isRaw ? make("pre", "raw", visible(record.text)) : node(undefined, row.message, 0));
      });
      actions.append(raw);
      tree.append(node(undefined, row.message, 0));
    } else if (record.text !== undefined) {
      tree.append(make("pre", "raw", visible(record.text)));
    }
    const parts = [make("h2", "", [row.what, row.kind === "stderr" || row.kind === "note" ? "" : row.about].filter(Boolean).join(" ") || WORDS[row.kind])];
    parts.push(make("p", "", facts.filter(Boolean).join(" · ")));
    if (actions.childElementCount) parts.push(actions);
    if (record.cut) parts.push(make("p", "", `Cut here: the message has ${record.cut} bytes.`));
    if (record.headers || record.line) {
      const headers = make("details", "headers");
      headers.open = row.kind === "http" || row.message === undefined;
      headers.append(make("summary", "mono", visible(record.line ?? "")));
      for (const [key, value] of record.headers ?? []) {
        const line = make("div", "mono");
        line.append(make("b", "", visible(key)), ": ", visible(value));
        headers.append(line);
      }
      parts.push(headers);
    }
    byId("detail").replaceChildren(...parts, tree);
    byId("detail").scrollTop = 0;
  }

  function node(name, value, depth) {
    const label = name === undefined ? [] : [make("span", "name", visible(name)), make("i", "", ": ")];
    const isList = Array.isArray(value);
    if (!isList && (!isObject(value) || value instanceof Digits)) {
      const leaf = make("div");
      leaf.append(...label, scalar(value));
      return leaf;
    }
    const entries = Object.entries(value);
    const folded = make("details");
    const summary = make("summary");
    summary.append(...label, make("i", "", isList ? `[${entries.length}]` : `{${entries.length}}`));
    folded.append(summary);
    const fill = (from) => {
      for (const [key, one] of entries.slice(from, from + 500)) folded.append(node(key, one, depth + 1));
      if (from + 500 >= entries.length) return;
      const more = make("button", "", `${entries.length - from - 500} more`);
      more.addEventListener("click", () => { more.remove(); fill(from + 500); });
      folded.append(more);
    };
    folded.addEventListener("toggle", () => { if (folded.open && folded.childElementCount === 1) fill(0); });
    if (depth < 4 && entries.length <= 50) { fill(0); folded.open = true; }
    return folded;
  }

  function scalar(value) {
    if (value instanceof Digits) return make("span", "number", value.source);
    if (typeof value !== "string") return make("span", typeof value === "number" ? "number" : "word", String(value));
    if (value.length <= LONG) return make("span", "string", JSON.stringify(value) === `"${value}"` ? `"${visible(value)}"` : visible(value));
    const cut = make("span", "string", visible(value.slice(0, LONG)));
    const more = make("button", "", `all ${value.length} characters`);
    more.addEventListener("click", () => { cut.textContent = visible(value); });
    cut.append(" … ", more);
    return cut;
  }

  // Keys.

  list.addEventListener("scroll", () => requestAnimationFrame(draw));
  addEventListener("resize", draw);
  byId("search").addEventListener("input", filter);
  byId("filter").addEventListener("submit", (event) => event.preventDefault());
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const search = byId("search");
    if (event.target === search) {
      if (event.key === "Escape") { search.value = ""; filter(); list.focus(); }
      if (event.key === "Enter" || event.key === "ArrowDown") { list.focus(); choose(shown.includes(chosen) ? chosen : shown[0]); event.preventDefault(); }
      return;
    }
    if (event.key === "/") { search.focus(); search.select(); event.preventDefault(); return; }
    if (event.key === "p") { choose(chosen?.mate); return; }
    if (event.target !== list) return;
    const page = Math.max(1, Math.floor(list.clientHeight / ROW) - 1);
    const at = shown.indexOf(chosen);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + page, PageUp: at - page, Home: 0, End: shown.length - 1 }[event.key];
    if (to === undefined || shown.length === 0) return;
    event.preventDefault();
    choose(shown[Math.min(Math.max(to, 0), shown.length - 1)]);
  });

  filter();
  const linked = rows[Number.parseInt(location.hash.slice(1), 10)];
  // What went wrong is what a reader came for.
  const wrong = end.exit === 0 ? undefined : rows.findLast((row) => row.kind === "error" && row.message !== undefined);
  choose(linked ?? wrong ?? rows.find((row) => of(row.message, "method") === "tools/call") ?? rows[0]);
  list.focus();
})();
