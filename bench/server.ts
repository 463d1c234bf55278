// `npm run bench:server`: how late a server listens, what idle readers and silent connections cost, and how much later a delta reaches a client than in a direct stream
// of the same model. The server, its model and the direct stream are one process, the clients another. The start is that of the
// executable, which is built first unless `MDX_AI_EXECUTABLE` names one: from source a server loads its modules before it listens.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { noRedactor } from "@mdx-ai/base";
import { openDirectory } from "@mdx-ai/directory";
import type { AssistantMessage, LanguageModel, ModelEvent } from "@mdx-ai/models";
import { serve } from "@mdx-ai/server/http";
import { buildExecutable } from "../scripts/build-executable.ts";
import { median } from "./median.ts";

const STARTS = 7;
const READERS = 1000;
const CONNECTIONS = 10_000;
const SESSIONS = 100;
const DELTAS = 100;
/** Milliseconds between deltas. */
const PACE = 50;
const MEBIBYTE = 1024 * 1024;
const TOKEN = "a-token-of-some-length";
const ROOT = join(import.meta.dir, "..");

/** The clock that all processes share, in milliseconds. */
const now = (): number => Number(process.hrtime.bigint() / 1000n) / 1000;

const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, thinking: 0, total: 0 };

/** Each delta is the time at which it was made. */
const model: LanguageModel = {
  provider: "bench",
  name: "clock",
  async *stream(_request, signal): AsyncGenerator<ModelEvent> {
    const text = (words: string): AssistantMessage => ({
      ...{ role: "assistant", content: [{ type: "text", text: words }], provider: "bench", model: "clock" },
      ...{ usage, stopReason: "stop", timestamp: Date.now() },
    });
    let words = "";
    yield { type: "start", partial: text("") };
    yield { type: "text_start", contentIndex: 0, partial: text("") };
    for (let index = 0; index < DELTAS && !signal.aborted; index++) {
      await Bun.sleep(PACE);
      const delta = `${now()} `;
      words += delta;
      yield { type: "text_delta", contentIndex: 0, delta, partial: text(words) };
    }
    yield { type: "text_end", contentIndex: 0, content: words, partial: text(words) };
    yield { type: "done", message: text(words) };
  },
};

/** The server process: prints its address and that of the direct stream, and its memory in MiB for each line of standard input. */
async function runServer(directory: string): Promise<void> {
  writeFileSync(
    join(directory, "agent.mdx"),
    `---\nlimits: { sessions: ${SESSIONS} }\n---\n# Agent: Bench\n\n## Purpose\n\nTell the time.\n`,
  );
  const server = serve({
    ...{ host: "127.0.0.1", port: 0, hosts: [], origins: [], isPublic: false, version: "0" },
    ...{ access: { type: "token", token: TOKEN }, redactor: noRedactor, onWarning: console.error },
    agents: async () => [
      {
        name: "agent",
        open: () => openDirectory(directory, { model, run: { isTrusted: true, session: "main" }, wakes: false }),
      },
    ],
  });
  const direct = Bun.serve({
    ...{ port: 0, hostname: "127.0.0.1", idleTimeout: 0 },
    fetch: () => new Response(directStream(), { headers: { "content-type": "text/event-stream" } }),
  });
  await server.open();
  console.log(JSON.stringify({ url: server.url, direct: direct.url.origin }));
  for await (const _ of console) {
    Bun.gc(true);
    console.log(JSON.stringify(process.memoryUsage.rss() / MEBIBYTE));
  }
}

function directStream(): ReadableStream<string> {
  const events = model.stream({ messages: [], tools: [], system: "" }, new AbortController().signal);
  const iterator = events[Symbol.asyncIterator]();
  return new ReadableStream<string>({
    async pull(controller) {
      for (;;) {
        const { done, value } = await iterator.next();
        if (done) return controller.close();
        if (value.type !== "text_delta") continue;
        return controller.enqueue(
          `data: ${JSON.stringify({ assistantMessageEvent: { type: "text_delta", delta: value.delta } })}\n\n`,
        );
      }
    },
  });
}

interface ServerProcess {
  readonly url: string;
  readonly direct: string;
  memory(): Promise<number>;
  end(): Promise<void>;
}

async function startServer(directory: string): Promise<ServerProcess> {
  const child = Bun.spawn([process.execPath, "--no-install", import.meta.path, "server", directory], {
    ...{ stdin: "pipe", stdout: "pipe", stderr: "inherit" },
    env: { ...process.env, HOME: directory },
  });
  const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const line = async (): Promise<unknown> => JSON.parse(String((await lines.read()).value));
  const { url, direct } = Object(await line());
  return {
    ...{ url, direct },
    memory: async () => {
      child.stdin.write("memory\n");
      child.stdin.flush();
      return Number(await line());
    },
    end: async () => {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}

/** An idle reader of events; resolves when the head of its answer has come. */
function idleReader(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () =>
      socket.write(
        `GET /api/agents/agent/sessions/main/events HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${TOKEN}\r\nAccept: text/event-stream\r\n\r\n`,
      ),
    );
    socket.once("data", () => resolve(socket));
    socket.once("error", reject);
  });
}

interface ReadStream {
  /** Of the deltas, in milliseconds. */
  readonly delays: readonly number[];
  /** Of the events. */
  readonly ids: readonly string[];
}

async function readStream(response: Response): Promise<ReadStream> {
  const [delays, ids]: [number[], string[]] = [[], []];
  let rest = "";
  for await (const text of (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
    const at = now();
    const blocks = (rest + text).split("\n\n");
    rest = blocks.pop() ?? "";
    const events = blocks.flatMap(eventsIn);
    ids.push(...events.flatMap(({ id }) => id ?? []));
    delays.push(...events.flatMap(({ delta }) => (delta === undefined ? [] : [at - Number(delta)])));
    if (events.some(({ type }) => type === "agent_end")) break;
  }
  return { delays, ids };
}

interface SentEvent {
  readonly type: string;
  readonly id?: string;
  readonly delta?: string;
}

function eventsIn(block: string): readonly SentEvent[] {
  const data = block.split("\n").find((line) => line.startsWith("data: "));
  if (data === undefined) return [];
  const { type, id, assistantMessageEvent: update } = JSON.parse(data.slice("data: ".length));
  return [{ type, id, ...(update?.type === "text_delta" && { delta: update.delta }) }];
}

const percentile = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length * 0.95)] ?? Number.NaN;

async function measureStreams({ url, direct }: ServerProcess): Promise<void> {
  const send = (method: string, path: string, body?: object): Promise<Response> =>
    fetch(`${url}/api/agents/agent/${path}`, {
      method,
      headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json", accept: "text/event-stream" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const names = Array.from({ length: SESSIONS }, (_, index) => `s${index}`);
  for (const id of names) await send("POST", "sessions", { id });
  const reading = names.map(async (id) => readStream(await send("GET", `sessions/${id}/events`)));
  await Promise.all(names.map((id) => send("POST", `sessions/${id}/prompts`, { text: "What time is it?" })));
  const served = await Promise.all(reading);
  const bare = await Promise.all(names.map(async () => readStream(await fetch(direct))));
  const lost = served.filter(
    ({ delays, ids }) => delays.length !== DELTAS || ids.some((id, at) => id !== `1.${at + 1}`),
  );
  const [late, lateBare] = [served, bare].map((streams) => percentile(streams.flatMap(({ delays }) => delays)));
  console.log(
    `${SESSIONS} sessions stream at once: ${lost.length} lost an event; 95 % of the deltas within ${late?.toFixed(2)} ms, ` +
      `of a direct stream ${lateBare?.toFixed(2)} ms: ${((late ?? 0) - (lateBare ?? 0)).toFixed(2)} ms more (at most 5)`,
  );
}

async function measureIdle(server: ServerProcess): Promise<void> {
  const before = await server.memory();
  const sockets: Socket[] = [];
  while (sockets.length < READERS) {
    const some = Array.from({ length: 100 }, () => idleReader(server.url));
    sockets.push(...(await Promise.all(some)));
  }
  const after = await server.memory();
  for (const socket of sockets) socket.destroy();
  console.log(`${READERS} idle readers: ${(after - before).toFixed(1)} MiB more (at most 60), of ${before.toFixed(0)}`);
}

/** Silent connections, without a token; none is a request. */
async function measureConnections(server: ServerProcess): Promise<void> {
  const before = await server.memory();
  const { hostname, port } = new URL(server.url);
  const sockets: Socket[] = [];
  let refused = 0;
  const open = (): Promise<void> =>
    new Promise((resolve) => {
      const socket = connect(Number(port), hostname, resolve);
      socket.once("error", () => {
        refused += 1;
        resolve();
      });
      sockets.push(socket);
    });
  while (sockets.length < CONNECTIONS) await Promise.all(Array.from({ length: 100 }, open));
  const begun = now();
  const headers = { authorization: `Bearer ${TOKEN}`, connection: "close" };
  await (await fetch(`${server.url}/api/agents`, { headers })).text();
  const answered = now() - begun;
  const after = await server.memory();
  for (const socket of sockets) socket.destroy();
  console.log(
    `${CONNECTIONS} silent connections: ${refused} refused, ${(after - before).toFixed(1)} MiB more, a request answered in ${answered.toFixed(0)} ms`,
  );
}

/** Milliseconds until a command has written its first line. */
async function firstLine(command: readonly string[], directory: string): Promise<number> {
  const begun = now();
  const child = Bun.spawn([...command], {
    ...{ stdin: "ignore", stdout: "pipe", stderr: "ignore", cwd: directory },
    env: { PATH: process.env["PATH"], HOME: directory, TOKEN },
  });
  await child.stdout.getReader().read();
  const time = now() - begun;
  child.kill("SIGKILL");
  await child.exited;
  return time;
}

async function built(): Promise<string> {
  const outfile = join(ROOT, "dist/mdx-ai");
  await buildExecutable({ outfile });
  return outfile;
}

async function measureStart(directory: string): Promise<void> {
  const program = process.env["MDX_AI_EXECUTABLE"] ?? (await built());
  const serving = [program, "serve", directory, "--trust", "--token", "env:TOKEN"];
  const times: { readonly version: number; readonly listening: number }[] = [];
  for (let start = 0; start < STARTS; start++) {
    times.push({
      version: await firstLine([program, "--version"], directory),
      listening: await firstLine(serving, directory),
    });
  }
  const version = median(times.map((one) => one.version));
  const listening = median(times.map((one) => one.listening));
  console.log(
    `listening after ${listening.toFixed(0)} ms, --version after ${version.toFixed(0)} ms: ${(listening / version).toFixed(1)}× (at most 3)`,
  );
}

async function measure(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "mdx-ai-bench-"));
  const server = await startServer(directory);
  try {
    await measureStart(directory);
    await measureIdle(server);
    await measureConnections(server);
    await measureStreams(server);
  } finally {
    await server.end();
    rmSync(directory, { recursive: true, force: true });
  }
}

const [, , word, directory] = process.argv;
await (word === "server" && directory !== undefined ? runServer(directory) : measure());
