import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { client, methods, ndJsonStream, PROTOCOL_VERSION } from "@agentclientprotocol/sdk";
import { isRecord, jsonValue } from "@mdx-ai/base";
import type { Browser } from "playwright-core";
import { writeFiles, writeText } from "../support/agent-files.ts";
import { openPage, startBrowser } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { openInteractive } from "../support/interactive-session.ts";
import { answerChunks } from "../support/openai-replies.ts";
import { requireProgram } from "../support/require-program.ts";
import { cliCommand, cliEnvironment, runCli } from "../support/run-cli.ts";
import { bodyOf, type Json } from "../support/served-agent.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

setDefaultTimeout(180_000);

const TOKEN = "a-token-of-some-length";

/** Its tool waits for the file `go`, and may be called again after a crash. */
const AGENT = `# Agent: Doors

## Purpose

Be one agent behind every door.

<Tool name="note" description="Notes a word" idempotent>
  <Param name="word" description="What" />

\`\`\`ts
import { appendFileSync, existsSync, writeFileSync } from "node:fs";

async function execute({ word }: { word: string }) {
  appendFileSync("notes/begun", "x");
  while (!existsSync("notes/go")) await Bun.sleep(20);
  writeFileSync("notes/" + word, word);
  return "Noted " + word;
}
\`\`\`

</Tool>
`;

/** A model that says the same to the same conversation. */
function model() {
  /** The requests so far, by the last message. */
  const asked: string[] = [];
  let held: string | undefined;
  const server = Bun.serve({
    ...{ port: 0, hostname: "127.0.0.1", idleTimeout: 0 },
    async fetch(request) {
      const { messages } = await bodyOf(new Response(await request.text()));
      const { role, content } = messages.at(-1);
      const text = role === "tool" ? "a result" : textOf(content);
      asked.push(text);
      if (held === text) {
        held = undefined;
        // Never answered: its client is killed.
        await new Promise(() => {});
      }
      const turn = messages.filter((one: Json) => one.role === "user").length;
      const chunks = answerChunks(role === "tool" ? [{ text: [`Done ${turn}.`] }] : [partOf(text)]);
      const lines = [...chunks.map((chunk) => JSON.stringify(chunk)), "[DONE]"].map((data) => `data: ${data}\n\n`);
      return new Response(lines.join(""), { headers: { "content-type": "text/event-stream" } });
    },
  });
  return {
    asked,
    environment: { GROQ_API_KEY: "sk-test-key-0123456789", GROQ_BASE_URL: `${server.url.origin}/v1` },
    /** Leaves the next request with this text without an answer. */
    hold(text: string): void {
      held = text;
    },
    [Symbol.dispose]: () => void server.stop(true),
  };
}

const textOf = (content: Json): string => (typeof content === "string" ? content : content.at(-1).text);

function partOf(text: string) {
  if (text.includes("note")) return { id: "call-note", name: "note", json: ['{"word":', '"tea"}'] };
  if (text.includes("touch")) return { id: "call-touch", name: "bash", json: ['{"command":"echo x >> touched"}'] };
  return { text: ["All ", "is **well**."] };
}

/** One session of an agent, and the doors to it. */
interface House extends Disposable {
  readonly home: string;
  readonly directory: string;
  readonly model: ReturnType<typeof model>;
}

function house(): House {
  const folder = temporaryDirectory();
  const directory = writeFiles(join(folder.path, "agent"), { "agent.mdx": AGENT, "notes/.keep": "" });
  const asked = model();
  return {
    ...{ home: folder.path, directory, model: asked },
    [Symbol.dispose]() {
      asked[Symbol.dispose]();
      folder[Symbol.dispose]();
    },
  };
}

const FLAGS = ["--model", "groq/a-model", "--sandbox", "off", "--allow", "note"] as const;

async function inTerminal({ home, directory, model: { environment } }: House) {
  return openInteractive({ home, directory, environment, args: [...FLAGS, "--session", "main"] });
}

function spawned({ home, model: { environment } }: House, command: readonly string[]) {
  return Bun.spawn(cliCommand([...command, "--trust", ...FLAGS]), {
    ...{ cwd: home, env: cliEnvironment({ home, environment: { ...environment, TOKEN } }) },
    ...{ stdin: "pipe", stdout: "pipe", stderr: "inherit" },
  });
}

async function served(doors: House) {
  const child = spawned(doors, ["serve", doors.directory, "--token", "env:TOKEN"]);
  const { value } = await child.stdout.pipeThrough(new TextDecoderStream()).getReader().read();
  const url = String(value).trim();
  const read = async (path: string): Promise<Json> =>
    bodyOf(
      await fetch(`${url}/api/agents/agent/sessions/main${path}`, { headers: { authorization: `Bearer ${TOKEN}` } }),
    );
  return { url, read, child, end: (signal: NodeJS.Signals) => ended(child, signal) };
}

async function ended(child: ReturnType<typeof spawned>, signal: NodeJS.Signals): Promise<void> {
  child.kill(signal);
  await child.exited;
}

/** An editor that opens the session and sends a message. Nobody answers its questions there. */
async function inEditor(doors: House, text: string) {
  const child = spawned(doors, ["acp", doors.directory]);
  const input = new WritableStream<Uint8Array>({
    write: async (bytes) => {
      child.stdin.write(bytes);
      await child.stdin.flush();
    },
  });
  const { agent } = client({ name: "test" })
    .onRequest(methods.client.session.requestPermission, () => new Promise(() => {}))
    .connect(ndJsonStream(input, child.stdout));
  await agent.request(methods.agent.initialize, { protocolVersion: PROTOCOL_VERSION, clientCapabilities: {} });
  const place = { sessionId: "main", cwd: doors.directory, mcpServers: [] };
  await agent.request(methods.agent.session.load, place);
  const prompt = { sessionId: "main", prompt: [{ type: "text" as const, text }] };
  const answered = agent.request(methods.agent.session.prompt, prompt).catch(() => undefined);
  return { child, answered };
}

/** The open question of the session, once there is one. */
async function question({ home }: House): Promise<string> {
  for (let look = 0; look < 600; look++) {
    const { stdout } = await runCli(["answer", "agent", "--json"], { home });
    const [first] = JSON.parse(stdout);
    if (first !== undefined) return first.id;
    await Bun.sleep(50);
  }
  throw new Error("nobody asked");
}

const WORDS = ["please note", "how is it", "please touch"] as const;

/** The whole session in a terminal alone. */
async function alone(doors: House): Promise<void> {
  writeText(join(doors.directory, "notes/go"), "");
  await using run = await inTerminal(doors);
  for (const [words, answer] of [
    [WORDS[0], /Done 1\./],
    [WORDS[1], /All is well\./],
  ] as const) {
    await run.terminal.type(words);
    await run.terminal.press("Enter");
    await run.terminal.waitForHistory(answer);
  }
  await run.terminal.type(WORDS[2]);
  await run.terminal.press("Enter");
  await run.terminal.waitFor(/^y once/m);
  await run.terminal.press("y", "Enter");
  await run.terminal.waitForHistory(/Done 3\./);
}

type Moment = "never" | "first call" | "tool" | "page" | "question" | "last call";

/** The same session through all doors; the process that holds it is killed at a moment. */
async function throughDoors(doors: House, browser: Browser, killed: Moment): Promise<void> {
  await firstInTerminal(doors, killed);
  await secondOnPage(doors, browser, killed);
  await thirdInEditor(doors, killed);
}

async function firstInTerminal(doors: House, killed: Moment): Promise<void> {
  const { directory, model: asked } = doors;
  if (killed === "first call") asked.hold(WORDS[0]);
  if (killed !== "tool") writeText(join(directory, "notes/go"), "");
  await using run = await inTerminal(doors);
  await run.terminal.type(WORDS[0]);
  await run.terminal.press("Enter");
  if (killed === "first call") await eventually(() => asked.asked.includes(WORDS[0]));
  else if (killed === "tool") await eventually(() => existsSync(join(directory, "notes/begun")));
  else return void (await run.terminal.waitForHistory(/Done 1\./));
  process.kill(await run.terminal.pid(), "SIGKILL");
  await run.terminal.exitCode();
  writeText(join(directory, "notes/go"), "");
}

async function secondOnPage(doors: House, browser: Browser, killed: Moment): Promise<void> {
  const { model: asked } = doors;
  if (killed === "page") asked.hold(WORDS[1]);
  const server = await served(doors);
  const { page } = await openPage(browser, `${server.url}/#token=${TOKEN}`);
  // A server finishes what a killed process left.
  await page.getByText("Done 1.").waitFor();
  await page.getByRole("button", { name: "Send" }).waitFor();
  await page.getByRole("textbox", { name: "Message" }).fill(WORDS[1]);
  await page.keyboard.press("Enter");
  if (killed !== "page") {
    await page.getByText("All is well.").waitFor();
    await page.context().close();
    return server.end("SIGTERM");
  }
  await eventually(() => asked.asked.includes(WORDS[1]));
  await server.end("SIGKILL");
  await page.context().close();
  await finishing(doors);
}

async function thirdInEditor(doors: House, killed: Moment): Promise<void> {
  const { home } = doors;
  if (killed === "last call") doors.model.hold("a result");
  const { child, answered } = await inEditor(doors, WORDS[2]);
  const id = await question(doors);
  if (killed === "question") await ended(child, "SIGKILL");
  expect((await runCli(["answer", "agent", id, "yes"], { home })).exitCode).toBe(0);
  if (killed === "last call") {
    await eventually(() => doors.model.asked.at(-1) === "a result");
    await ended(child, "SIGKILL");
  }
  if (killed === "question" || killed === "last call") return finishing(doors);
  await answered;
  await ended(child, "SIGKILL");
}

/** A server runs until the session is idle. */
async function finishing(doors: House): Promise<void> {
  const server = await served(doors);
  while ((await server.read("")).state !== "idle") await Bun.sleep(50);
  await server.end("SIGTERM");
}

/** What lasts of the session, but for times: its messages, the ids and types of its events, and what its tools did. */
async function lasting(doors: House): Promise<Json> {
  const server = await served(doors);
  const { messages } = await server.read("/messages");
  const events = await (
    await fetch(`${server.url}/api/agents/agent/sessions/main/events?follow=false`, {
      headers: { authorization: `Bearer ${TOKEN}` },
    })
  ).text();
  await server.end("SIGTERM");
  const ids = events
    .split("\n")
    .filter((line) => line !== "")
    .map((line): Json => jsonValue(line))
    .filter(({ id }) => id !== undefined)
    .map(({ id, type }) => `${id} ${type}`);
  const read = (file: string): string => readFileSync(join(doors.directory, file), "utf8");
  return { messages: timeless(messages), ids, touched: read("touched"), noted: read("notes/tea") };
}

const TIMES = new Set(["timestamp", "latency", "duration", "at", "endedAt"]);

function timeless(value: Json): Json {
  if (Array.isArray(value)) return value.map(timeless);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !TIMES.has(name))
      .map(([name, one]) => [name, timeless(one)]),
  );
}

describe.skipIf(requireProgram("chromium") || requireProgram("tmux"))("one session through all doors", () => {
  let browser: Browser;
  let golden: string;
  beforeAll(async () => {
    browser = await startBrowser();
    using doors = house();
    await alone(doors);
    golden = JSON.stringify(await lasting(doors), undefined, 1);
  });
  afterAll(() => browser?.close());

  test.each(["never", "first call", "tool", "page", "question", "last call"] as const)(
    "begun in a terminal, continued on the page, asked in an editor, answered by a command, is the terminal's own (kill -9: %s)",
    async (killed) => {
      using doors = house();
      await throughDoors(doors, browser, killed);
      expect(JSON.stringify(await lasting(doors), undefined, 1)).toBe(golden);
    },
  );
});
