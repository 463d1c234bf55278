// An MCP server over stdio that does what servers should not do. Its arguments name what; its tools do the rest.
import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";

type Message = { readonly id?: number | string; readonly method?: string; readonly params?: Record<string, unknown> };

const ways = new Set(process.argv.slice(2));
const record = process.env["RECORD"];
const answers = new Map<string, (result: unknown) => void>();
let storms = 0;

const write = (text: string): void => void process.stdout.write(text);
const send = (message: object): void => write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const note = (text: string): void => {
  if (record !== undefined) appendFileSync(record, `${text}\n`);
};
const text = (value: unknown): object => ({
  content: [{ type: "text", text: typeof value === "string" ? value : JSON.stringify(value) }],
});

/** Asks the client, in the way of the revisions up to 2025-11-25. */
function ask(method: string, params: object = {}): Promise<unknown> {
  const id = `ask-${answers.size}`;
  const answer = new Promise((resolve) => answers.set(id, resolve));
  send({ id, method, params });
  return answer;
}

const object = { type: "object" };

const TOOLS: readonly { readonly name: string; readonly [key: string]: unknown }[] = [
  ...["echo", "crash", "hang", "big", "huge", "bits", "where", "slow", "log", "storm", "odd", "nested", "flood"].map(
    (name) => ({
      name,
      inputSchema: object,
    }),
  ),
  ...["ask-roots", "ask-sampling", "ask-ping", "ask-form", "ask-url", "ask-often"].map((name) => ({
    name,
    inputSchema: object,
  })),
];

const LIES = [
  { name: "no-schema" },
  { name: "a-text", inputSchema: "none" },
  { name: "a-list", inputSchema: { type: "array", items: {} } },
  {
    name: "bad-output",
    inputSchema: object,
    outputSchema: { type: "object", properties: { a: { type: "nonsense", pattern: "(" } } },
  },
  {
    name: "other-output",
    inputSchema: object,
    outputSchema: { type: "object", required: ["a"], properties: { a: { type: "number" } } },
  },
  {
    name: "odd-parts",
    description: 7,
    annotations: "yes",
    icons: 3,
    inputSchema: { type: "object", "x-own": { deep: [1] }, properties: { p: { type: "string", "x-more": true } } },
  },
  { nameless: true },
  7,
];

const pages = (cursor: unknown): object => {
  const page = Number(cursor ?? 0);
  const tools = [{ name: `tool-${page}`, inputSchema: object }];
  return page < 4 ? { tools, nextCursor: String(page + 1) } : { tools };
};

const nested = (levels: number): object => {
  let schema: object = object;
  for (let level = 0; level < levels; level += 1) schema = { type: "object", properties: { a: schema } };
  return schema;
};

function tools(cursor: unknown): object {
  if (ways.has("many"))
    return { tools: Array.from({ length: 50_000 }, (_, index) => ({ name: `t${index}`, inputSchema: object })) };
  if (ways.has("large")) {
    const large = { name: "large", description: "x".repeat(1_000_000), inputSchema: object };
    return { tools: [large, { name: "deep", inputSchema: nested(2_000) }, ...TOOLS] };
  }
  if (ways.has("pages")) return pages(cursor);
  if (ways.has("twins")) {
    const twins = ["first", "second", "third"].map((description) => ({
      name: "twin",
      description,
      inputSchema: object,
    }));
    const [first, ...others] = twins.map((tool, index) => ({
      ...tool,
      outputSchema: { type: "object", title: `${index}` },
    }));
    return cursor === undefined ? { tools: [first, ...TOOLS], nextCursor: "1" } : { tools: others };
  }
  if (ways.has("lies")) return { tools: [...TOOLS, ...LIES] };
  return storms > 0 ? { tools: [{ name: `after-${storms}`, inputSchema: object }] } : { tools: TOOLS };
}

async function call(id: number | string, params: Record<string, unknown>): Promise<void> {
  const result = (value: object): void => send({ id, result: value });
  const meta = params["_meta"];
  switch (params["name"]) {
    case "crash":
      console.error("about to crash\u001b[31m");
      process.exit(7);
      break;
    case "hang":
      return note(`called ${id}`);
    case "big":
      return result(text("x".repeat(10_000_000)));
    case "huge":
      return result(text("x".repeat(40_000_000)));
    case "bits":
      for (const bit of `${JSON.stringify({ jsonrpc: "2.0", id, result: text("grüße") })}\n`.match(/[\s\S]{1,7}/g) ??
        []) {
        write(bit);
        await Bun.sleep(1);
      }
      return;
    case "where":
      return result(text({ cwd: process.cwd(), env: process.env }));
    case "slow":
      for (let progress = 1; progress <= 6; progress += 1) {
        await Bun.sleep(150);
        const { progressToken } = Object(meta);
        send({
          method: "notifications/progress",
          params: { progressToken, progress, total: 6, message: `step ${progress}` },
        });
      }
      return result(text("done"));
    case "log":
      for (const level of ["info", "error"]) {
        send({ method: "notifications/message", params: { level, data: `a ${level}\u001b[2J` } });
      }
      return result(text("logged"));
    case "storm":
      storms += 1;
      for (let each = 0; each < 2_000; each += 1) send({ method: "notifications/tools/list_changed" });
      return result(text("changed"));
    case "odd":
      return result({ structuredContent: { a: [1, { b: null }] } });
    case "nested":
      return write(
        `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[],"structuredContent":{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}}}\n`,
      );
    case "flood":
      for (let progress = 1; progress <= 40_000; progress += 1) {
        send({ method: "notifications/progress", params: { progressToken: Object(meta).progressToken, progress } });
      }
      return result(text("flooded"));
    case "ask-often":
      return result(
        text(
          await Promise.all(
            Array.from({ length: 100 }, async (_, index) => {
              const answer = await ask("elicitation/create", {
                message: `Question ${index}`,
                requestedSchema: { type: "object", properties: {} },
              });
              note(`answered ${index}`);
              return answer;
            }),
          ),
        ),
      );
    case "ask-roots":
      return result(text(await ask("roots/list")));
    case "ask-sampling":
      return result(text(await ask("sampling/createMessage", { messages: [], maxTokens: 1 })));
    case "ask-ping":
      return result(text(await ask("ping")));
    case "ask-form": {
      const requestedSchema = {
        type: "object",
        properties: { name: { type: "string" }, age: { type: "integer", default: 30 } },
      };
      return result(text(await ask("elicitation/create", { message: "Who?", requestedSchema })));
    }
    case "ask-url":
      return result(
        text(
          await ask("elicitation/create", {
            mode: "url",
            message: "Open",
            elicitationId: "e",
            url: "https://a.example/",
          }),
        ),
      );
    default:
      return result(text(params["arguments"]));
  }
}

function answer({ id, method, params = {} }: Message): void {
  if (id === undefined) note(`${method} ${JSON.stringify(params)}`);
  else if (method === "initialize") send({ id, result: INITIALIZED });
  else if (method === "tools/list") send({ id, result: tools(params["cursor"]) });
  else if (method === "tools/call") void call(id, params);
  else if (method === "ping") send({ id, result: {} });
  else if (method !== undefined) refuse(id, method);
}

const INITIALIZED = {
  protocolVersion: "2025-11-25",
  capabilities: { tools: { listChanged: true }, logging: {} },
  serverInfo: { name: "hostile", version: "1" },
};

function refuse(id: number | string, method: string): void {
  if (ways.has("exits-when-asked") && method === "server/discover") process.exit(3);
  if (!ways.has("silent")) send({ id, error: { code: -32601, message: "Method not found" } });
}

function read(line: string): void {
  note(`read ${line.slice(0, 60)}`);
  const message = JSON.parse(line);
  const waiting = message.method === undefined ? answers.get(message.id) : undefined;
  if (waiting) waiting(message.result ?? message.error);
  else answer(message);
}

if (ways.has("stubborn")) process.on("SIGTERM", () => note("SIGTERM"));
if (ways.has("parent")) spawn("sleep", ["1000"], { stdio: "ignore" });
if (ways.has("noisy")) for (let each = 0; each < 20_000; each += 1) console.error(`line ${each} ${"y".repeat(80)}`);
if (ways.has("banner")) write("Server is ready> ");
if (ways.has("garbage")) write('hello\n\n{"a":1}\n{broken\n[]\n\u0000\u0001\nnull\n');
if (ways.has("fails")) {
  console.error("no such configuration");
  process.exit(9);
}
if (ways.has("mute")) await new Promise(() => setInterval(() => {}, 1000));

let rest = "";
process.stdin.on("data", (bytes: Buffer) => {
  rest += bytes.toString();
  for (let end = rest.indexOf("\n"); end >= 0; end = rest.indexOf("\n")) {
    const line = rest.slice(0, end);
    rest = rest.slice(end + 1);
    read(line);
  }
});
process.stdin.on("end", () => {
  if (ways.has("stubborn")) setInterval(() => {}, 1000);
  else process.exit(0);
});
