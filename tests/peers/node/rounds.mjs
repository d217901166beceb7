// The Rounds server on the TypeScript SDK 2.x: tools that need an answer from the client before they have a result.
//
// stdio, or `--http PORT`. `--era modern` and `--era legacy` serve one protocol era alone. `--modules FOLDER` is the
// node_modules folder with the SDK. What the client sent is written, one JSON object a line, to the file named by PEER_LOG:
//
//     {"method": .., "id": .., "params": {..}, "headers": {..}}   every message, as it came; over HTTP with its MCP headers
//     {"counted": N}                  the Nth run of `count`
//     {"cancelled": "slow"}           the client gave up on it

import { createHmac, randomBytes, randomUUID } from "node:crypto";
import { appendFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";

const { values: options } = parseArgs({
  options: { http: { type: "string" }, era: { type: "string", default: "both" }, modules: { type: "string" } },
});
const load = createRequire(options.modules ? join(options.modules, "rounds.mjs") : import.meta.url);
const {
  McpServer,
  ProtocolError,
  ResourceTemplate,
  SERVER_INFO_META_KEY,
  WebStandardStreamableHTTPServerTransport,
  createMcpHandler,
  fromJsonSchema,
  inputRequired,
  isLegacyRequest,
} = load("@modelcontextprotocol/server");
const { StdioServerTransport, serveStdio } = load("@modelcontextprotocol/server/stdio");

const INFO = { name: "rounds", title: "Rounds", version: "2.4", description: "Tools that need an answer first." };
const INSTRUCTIONS = "Start with `ask`. Everything else asks too.";
const ODD =
  '{"n": 9007199254740993, "s": "\\u0041"} \'`"\\ \t\n é ü 漢 \u{1F600} \u2028\u2029\u0085 %22 =?base64?QQ==?= </p> ';
const KEY = "the same in every process, so that a call can be taken up again";

function log(entry) {
  if (process.env.PEER_LOG) appendFileSync(process.env.PEER_LOG, JSON.stringify(entry) + "\n");
}

function record({ method, id, params }, headers) {
  if (method) log({ method, id, params, headers });
}

const text = (words, more = {}) => ({ content: [{ type: "text", text: words }], ...more });

const object = (properties, required = Object.keys(properties)) => ({ type: "object", properties, required });

const NAME = object({ name: { type: "string", title: "Name" } });

const form = (message, requestedSchema = NAME) => inputRequired.elicit({ message, requestedSchema });

const sampling = (words, more = {}) =>
  inputRequired.createMessage({
    messages: [{ role: "user", content: { type: "text", text: words } }],
    maxTokens: 100,
    ...more,
  });

const WEATHER = { name: "weather", description: "Today's weather", inputSchema: { type: "object" } };

const said = (answer) => [answer.content].flat().map((block) => block.text ?? block.type).join(" ");

const sign = (words) => createHmac("sha256", KEY).update(words).digest("hex");

/** A result that the SDK would not send; `by_hand` puts it in the place of what it does send. */
const raw = (result) => text("", { _meta: { raw: result } });

function by_hand(message) {
  const result = message.result?._meta?.raw;
  return result ? { ...message, result: { ...result, _meta: { [SERVER_INFO_META_KEY]: INFO } } } : message;
}

const BAD_ROUNDS = {
  list: { inputRequests: [form("Name?")], requestState: "s" },
  empty: { inputRequests: {} },
  nothing: {},
  unknown_method: { inputRequests: { who: { method: "tea/brew", params: {} } }, requestState: "s" },
  no_method: { inputRequests: { who: { params: { message: "Name?" } } }, requestState: "s" },
  not_an_object: { inputRequests: { who: "Name?" }, requestState: "s" },
  number_state: { inputRequests: { who: form("Name?") }, requestState: 7 },
};

const UNDECLARED = {
  elicitation: form("What is your name?"),
  url: inputRequired.elicitUrl({ message: "There.", url: "https://pay.example.com/" }),
  sampling: sampling("Summarise."),
  sampling_tools: sampling("Summarise.", { tools: [WEATHER] }),
  roots: inputRequired.listRoots(),
};

// Each: description, input schema or null, what it does with (arguments, ctx), annotations.
const TOOLS = {
  ask: ["Ask for a name and greet.", null, (_, { answers }) => {
    if (!answers) return inputRequired({ inputRequests: { who: form("What is your name?") }, requestState: "ask" });
    const { action, content } = answers.who;
    return text(action === "accept" ? `Hello, ${content.name}!` : action === "decline" ? "declined" : "cancelled");
  }],
  sample: ["Have the client's model complete a prompt.", null, (_, { answers }) => {
    const ask = () => sampling("Summarise the catalogue.", { systemPrompt: "Be brief." });
    return answers ? text(said(answers.model)) : inputRequired({ inputRequests: { model: ask() } });
  }],
  roots: ["List the client's roots, one a line.", null, (_, { answers }) => {
    if (!answers) return inputRequired({ inputRequests: { roots: inputRequired.listRoots() }, requestState: "roots" });
    return text(answers.roots.roots.map((root) => root.uri).join("\n"));
  }],
  several: ["Ask for a name, the roots and a completion in one round, under keys with odd characters.", null,
    (_, { answers }) => {
      const keys = ['na"me \\ é\u2028', "constructor", "9007199254740993"];
      const asks = [form("What is your name?"), inputRequired.listRoots(), sampling("Summarise the catalogue.")];
      const inputRequests = Object.fromEntries(keys.map((key, index) => [key, asks[index]]));
      if (!answers) return inputRequired({ inputRequests, requestState: "several" });
      const other = Object.keys(answers).filter((key) => !keys.includes(key));
      if (other.length || Object.keys(answers).length < 3) return text(`Other keys: ${JSON.stringify(answers)}`);
      const [name, listed, model] = keys.map((key) => answers[key]);
      const who = name.action === "accept" ? name.content.name : name.action;
      const uris = listed.roots.map((root) => root.uri).join(" ");
      return text(`name: ${who}\nroots: ${uris}\nmodel: ${said(model)}`);
    }],
  wizard: ["Ask three questions, each of which needs the answer before.", null, (_, { answers, state }) => {
    const known = state ? JSON.parse(state) : {};
    for (const { action, content } of Object.values(answers ?? {})) {
      if (action !== "accept") return text(`Stopped: ${action}.`, { isError: true });
      Object.assign(known, content);
    }
    const { city, street, number } = known;
    const ask = (field, type, message) => {
      const inputRequests = { [field]: form(message, object({ [field]: { type } })) };
      return inputRequired({ inputRequests, requestState: JSON.stringify(known) });
    };
    if (city === undefined) return ask("city", "string", "Which city?");
    if (street === undefined) return ask("street", "string", `Which street in ${city}?`);
    if (number === undefined) return ask("number", "integer", `Which number in ${street}, ${city}?`);
    return text(`Parcel for ${street} ${number}, ${city}.`);
  }],
  state_only: ["Two rounds that ask nothing.", null, (_, { state }) => {
    const turn = Number(state ?? 0);
    return turn === 2 ? text("After 2 rounds.") : inputRequired({ requestState: String(turn + 1) });
  }],
  tampered: ["Sign the request state, and notice when it comes back otherwise.", null, (_, { answers, state }) => {
    if (state === undefined) {
      const signed = ODD + randomBytes(8).toString("hex");
      return inputRequired({ inputRequests: { who: form("Name?") }, requestState: `${signed}.${sign(signed)}` });
    }
    const dot = state.lastIndexOf(".");
    const signed = state.slice(0, dot);
    if (!signed.startsWith(ODD) || state.slice(dot + 1) !== sign(signed)) return text("tampered", { isError: true });
    const { action, content } = answers?.who ?? {};
    return text(`Untouched, ${action === "accept" ? content.name : action}.`);
  }],
  no_state: ["A round without any request state; it follows one with it.", null, (_, { answers, state }) => {
    if (!answers) return inputRequired({ inputRequests: { first: form("First name?") }, requestState: "first" });
    if (answers.first) return inputRequired({ inputRequests: { last: form("Last name?") } });
    if (state !== undefined) return text("a request state came where none was sent", { isError: true });
    return text(`Hello, ${answers.last.content.name}!`);
  }],
  endless: ["Never come to an end.", object({ ask: { type: "boolean", default: false } }, []), ({ ask }, { state }) => {
    const turn = Number(state ?? 0) + 1;
    const inputRequests = ask ? { who: form(`Name, for the ${turn}. time?`) } : undefined;
    return inputRequired({ inputRequests, requestState: String(turn) });
  }],
  url: ["Send the client to a page.", object({ address: { type: "string" } }, []), ({ address }, { answers }) => {
    if (answers) return text(`Page: ${answers.page.action}.`);
    const url = address ?? "https://pay.example.com/card?order=7";
    const page = inputRequired.elicitUrl({ message: "Enter the card's number there.", url });
    return inputRequired({ inputRequests: { page }, requestState: "url" });
  }],
  undeclared: ["Ask for one kind of input whether the client declared it or not.",
    object({ kind: { type: "string", enum: Object.keys(UNDECLARED), default: "sampling" } }, []),
    ({ kind = "sampling" }, { answers }) =>
      answers ? text("answered") : raw({ resultType: "input_required", inputRequests: { it: UNDECLARED[kind] } })],
  bad_round: ["Answer with a round that is not well made.",
    object({ how: { type: "string", enum: Object.keys(BAD_ROUNDS), default: "list" } }, []),
    ({ how = "list" }) => raw({ resultType: "input_required", ...BAD_ROUNDS[how] })],
  no_result_type: ["Answer without a resultType.", null, () => raw(text("No type."))],
  odd_result_type: ["Answer with a resultType that nobody knows.", null,
    () => raw(text("An odd type.", { resultType: "postponed" }))],
  log: ["Log at info and report progress; with `ask`, in a round and after it.",
    object({ ask: { type: "boolean", default: false } }, []),
    async ({ ask }, { answers, say, progress }) => {
      await say("info", answers ? "after the round" : ask ? "before the round" : "working");
      await say("debug", "a detail");
      await progress(answers ? 2 : 1, 2, answers ? "second half" : "first half");
      if (!ask || answers) return text("logged");
      return inputRequired({ inputRequests: { who: form("What is your name?") }, requestState: "log" });
    }],
  needs_sampling: ["Sample with tools, which the client must have declared.", null, (_, { answers }) => {
    if (answers) return text(said(answers.model));
    return inputRequired({ inputRequests: { model: sampling("What is the weather?", { tools: [WEATHER] }) } });
  }],
  push: ["Ask the old way, which needs a client that can be asked during the call.", null, async (_, { ctx }) => {
    const params = { message: "What is your name?", requestedSchema: NAME };
    const { action, content } = await ctx.mcpReq.elicitInput(params);
    return text(action === "accept" ? `Hello, ${content.name}!` : action);
  }],
  slow: ["Sleep, after a log message and a step of progress that say so.",
    object({ seconds: { type: "number", default: 30 } }, []),
    async ({ seconds = 30 }, { ctx, say, progress }) => {
      await say("info", "sleeping");
      await progress(0, 1, "sleeping");
      try {
        await sleep(seconds * 1000, undefined, { signal: ctx.mcpReq.signal });
      } catch (error) {
        log({ cancelled: "slow" });
        throw error;
      }
      return text("slept");
    }],
  big: ["Return that much text, in lines of 64 bytes.", object({ megabytes: { type: "number", default: 1 } }, []),
    ({ megabytes = 1 }) => text(("x".repeat(63) + "\n").repeat(megabytes * 16384))],
  greet: ["Greet, and change nothing.", object({ name: { type: "string", default: "World" } }, []),
    ({ name = "World" }) => text(`Hello, ${name}!`), { readOnlyHint: true }],
  count: ["Count the calls; not to be repeated lightly.", null, () => {
    log({ counted: ++counted });
    return text(String(counted));
  }],
  differs: ["Answer differently in each era.", null, (_, { era }) => text(era)],
  touch: ["Tell whoever listens that the list of tools and a resource have changed.",
    object({ uri: { type: "string", default: "res://touched" } }, []),
    async ({ uri = "res://touched" }, { touch }) => {
      await touch(uri);
      return text("touched");
    }],
};

let counted = 0;
let handler;

/** The server for one connection or, over HTTP in the modern era, for one request. */
function rounds({ era }) {
  const changes = { listChanged: true };
  const server = new McpServer(INFO, {
    instructions: INSTRUCTIONS,
    capabilities: { tools: changes, prompts: changes, resources: { ...changes, subscribe: true }, logging: {} },
  });
  const touch = async (uri) => {
    if (era === "modern" && handler) {
      handler.notify.toolsChanged();
      handler.notify.resourceUpdated(uri);
    } else {
      await server.server.sendToolListChanged();
      await server.server.sendResourceUpdated({ uri });
    }
  };
  const view = (ctx) => {
    const progressToken = ctx.mcpReq._meta?.progressToken;
    return {
      ctx,
      era,
      touch,
      answers: ctx.mcpReq.inputResponses,
      state: ctx.mcpReq.requestState(),
      say: (level, data) => ctx.mcpReq.log(level, data),
      progress: async (progress, total, message) => {
        if (progressToken === undefined) return;
        const params = { progressToken, progress, total, message };
        await ctx.mcpReq.notify({ method: "notifications/progress", params });
      },
    };
  };
  for (const [name, [description, schema, run, annotations]] of Object.entries(TOOLS)) {
    const inputSchema = fromJsonSchema(schema ?? { type: "object", properties: {} });
    server.registerTool(name, { description, inputSchema, annotations }, async (args, ctx) => run(args, view(ctx)));
  }

  const argsSchema = fromJsonSchema(object({ topic: { type: "string" } }));
  const message = (words) => ({ messages: [{ role: "user", content: { type: "text", text: words } }] });
  const plain = { description: "A prompt with an argument.", argsSchema };
  server.registerPrompt("plain", plain, ({ topic }) => message(`Write about ${topic}.`));
  const asked = { description: "A prompt that needs to know who it is for.", argsSchema };
  server.registerPrompt("asked", asked, ({ topic }, ctx) => {
    const { answers } = view(ctx);
    if (!answers) return inputRequired({ inputRequests: { who: form("Who is it for?") }, requestState: "asked" });
    return message(`Write about ${topic} for ${answers.who.content.name}.`);
  });

  const mimeType = "text/plain";
  const contents = (uri, words) => ({ contents: [{ uri, mimeType, text: words }] });
  const touched = { description: "A resource that `touch` touches.", mimeType };
  server.registerResource("touched", "res://touched", touched, (uri) => contents(uri.href, "as it was"));
  const template = new ResourceTemplate("res://asked/{topic}", { list: undefined });
  const reader = { description: "A resource that needs to know who reads it.", mimeType };
  server.registerResource("asked_resource", template, reader, (uri, { topic }, ctx) => {
    const { answers } = view(ctx);
    if (!answers) return inputRequired({ inputRequests: { who: form("Who reads it?") }, requestState: "asked" });
    return contents(uri.href, `${topic}, for ${answers.who.content.name}`);
  });
  return server;
}

/** Handshake-era HTTP with sessions, so that a tool can ask during its call. */
const sessions = new Map();

async function legacy(request, parsedBody) {
  const id = request.headers.get("mcp-session-id");
  if (sessions.has(id)) return sessions.get(id).handleRequest(request, { parsedBody });
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (session) => void sessions.set(session, transport),
    onsessionclosed: (session) => void sessions.delete(session),
  });
  await rounds({ era: "legacy" }).connect(transport);
  return transport.handleRequest(request, { parsedBody });
}

async function serve(incoming, outgoing, port) {
  const chunks = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) headers.set(name, String(value));
  const gone = new AbortController();
  outgoing.on("close", () => gone.abort());
  const request = new Request(`http://127.0.0.1:${port}${incoming.url}`, {
    method: incoming.method,
    headers,
    body: body.length ? body : undefined,
    signal: gone.signal,
  });
  try {
    record(JSON.parse(body.toString()), Object.fromEntries([...headers].filter(([name]) => name.startsWith("mcp-"))));
  } catch {
    // Not JSON: the SDK will say so.
  }
  let response;
  if (new URL(request.url).pathname !== "/mcp") response = new Response("Not found", { status: 404 });
  else if (options.era === "legacy") response = await legacy(request);
  else if (options.era === "both" && (await isLegacyRequest(request))) response = await legacy(request);
  else response = await handler.fetch(request);

  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body && response.headers.get("content-type")?.startsWith("application/json")) {
    const words = await response.text();
    outgoing.end(words.includes('"raw"') ? JSON.stringify(by_hand(JSON.parse(words))) : words);
  } else if (response.body) {
    outgoing.flushHeaders();
    Readable.fromWeb(response.body).on("error", () => outgoing.destroy()).pipe(outgoing);
  } else {
    outgoing.end();
  }
}

function stdio() {
  const wire = new StdioServerTransport();
  const send = wire.send.bind(wire);
  wire.send = (message) => send(by_hand(message));
  let deliver;
  Object.defineProperty(wire, "onmessage", {
    get: () => deliver,
    set: (next) => {
      deliver = next && ((message, extra) => {
        record(message);
        next(message, extra);
      });
    },
  });
  return wire;
}

if (options.http) {
  const port = Number(options.http);
  handler = createMcpHandler(rounds, { legacy: "reject" });
  createServer((incoming, outgoing) => {
    serve(incoming, outgoing, port).catch((error) => {
      console.error(error);
      outgoing.destroy();
    });
  }).listen(port, "127.0.0.1");
} else if (options.era === "legacy") {
  await rounds({ era: "legacy" }).connect(stdio());
} else {
  serveStdio(rounds, { transport: stdio(), legacy: options.era === "modern" ? "reject" : "serve" });
}
