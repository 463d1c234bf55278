import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isRecord } from "@mdx-ai/base";
import { writeFiles, writeText } from "../support/agent-files.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import type { Wire } from "../support/wire-server.ts";
import { type OddMcpServer, oddMcpServer } from "./odd-mcp-server.ts";
import type { Expected, Oddity } from "./oddity.ts";
import { type PlayedServer, playedServer } from "./played-server.ts";

const MODELS: Readonly<Record<Wire, string>> = {
  openai: "openai/m",
  anthropic: "anthropic/claude-test",
  responses: "openai/gpt-test",
};

/** A row with what it says and what came of it, side by side: equal if the row holds. */
export interface Judged {
  readonly expected: object;
  readonly got: object;
}

/**
 * Runs a whole prompt in this process against a server that plays the row. The folder may serve many rows: an agent that was
 * read once is known then.
 */
export async function playPrompt(row: Oddity, folder: string): Promise<Judged> {
  using server = playedServer(row.wire, row.replies);
  using workspace = temporaryDirectory();
  using mcp = row.tools === undefined ? undefined : oddMcpServer({ "tools/list": { tools: row.tools } });
  const text = agentText(row, mcp);
  const agent = join(folder, `agent-${Bun.hash(text)}`);
  const work = workspace.path;
  writeFiles(agent, { "agent.mdx": text });
  for (const [name, content] of Object.entries({ "a.md": "alpha\n", ...row.files }))
    writeText(join(work, name), bytesOf(content));
  const flags = ["--trust", "--json", "--allow-all", "--sandbox", "off", "--workspace", work, "--retries", "0,0"];
  const args = ["agent", agent, ...flags, "--ephemeral", "--model", row.model ?? MODELS[row.wire]];
  const result = await runCommandLine([...args, ...(row.flags ?? []), "--prompt", "go"], {
    home: join(folder, "home"),
    environment: { ...server.environment, ...environmentOf(row, server.url) },
  });
  const events = result.stdout
    .split("\n")
    .flatMap((line) => (line.startsWith("{") ? [recordOf(JSON.parse(line))] : []));
  const seen = { ...result, events, server, file: (name: string) => textAt(join(work, name)) };
  return { expected: toldExpected(row.expected), got: toldOutcome(row.expected, outcomeOf(seen)) };
}

function agentText({ settings = "" }: Oddity, mcp: OddMcpServer | undefined): string {
  const servers = mcp === undefined ? "" : `mcp:\n  odd: {url: "${mcp.url}"}\n`;
  return `---\n${settings}${settings === "" ? "" : "\n"}${servers}name: odd\n---\n\n# Agent: Odd\n\n## Purpose\n\nMeet the world.\n`;
}

/** A file as it is written. */
const bytesOf = (text: string): string | Buffer =>
  text.startsWith("base64:") ? Buffer.from(text.slice("base64:".length), "base64") : text;

const environmentOf = ({ environment = {} }: Oddity, url: string): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, value.replaceAll("$url", url)]));

type Fields = Readonly<Record<string, unknown>>;

interface Seen {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly events: readonly Fields[];
  readonly server: Pick<PlayedServer, "bodies" | "paths">;
  readonly file: (name: string) => string | undefined;
}

interface Outcome extends Omit<Required<Expected>, "says" | "lacks" | "sent" | "files"> {
  readonly shown: string;
  readonly bodies: readonly Fields[];
  readonly file: (name: string) => string | undefined;
}

function outcomeOf({ exitCode, stderr, events, server, file }: Seen): Outcome {
  const end = events.findLast(({ type }) => type === "agent_end");
  const messages = listOf(end?.["messages"]).map(recordOf);
  const answers = messages.filter(({ role }) => role === "assistant");
  const parts = answers.flatMap(({ content }) => listOf(content)).map(recordOf);
  const ended = events.filter(({ type }) => type === "tool_execution_end");
  const toolsOf = (isError: boolean): string[] =>
    ended.filter((event) => event["isError"] === isError).map(({ toolName }) => String(toolName));
  const last = answers.at(-1);
  const warnings = answers.map(({ warning }) => String(warning ?? ""));
  const results = messages.filter(({ role }) => role === "toolResult").map(({ content }) => JSON.stringify(content));
  const notices = events
    .filter(({ type }) => !/^(?:message|turn|tool|agent)_/.test(String(type)))
    .map((event) => JSON.stringify(event));
  return {
    exit: exitCode,
    text: textOf(listOf(last?.["content"]).map(recordOf), "text"),
    thinking: textOf(parts, "thinking"),
    calls: parts.filter(({ type }) => type === "toolCall").map(toldCall),
    ran: toolsOf(false),
    failed: toolsOf(true),
    stop: String(last?.["stopReason"] ?? "none"),
    requests: server.bodies.length,
    paths: server.paths,
    shown: [stderr, ...notices, ...warnings, ...results, String(last?.["errorMessage"] ?? "")].join("\n"),
    bodies: server.bodies,
    file,
  };
}

const toldCall = ({ name, arguments: args, malformed }: Fields): string =>
  malformed === undefined ? `${name} ${JSON.stringify(args)}` : `${name} malformed ${malformed}`;

const textOf = (parts: readonly Fields[], type: string): string =>
  parts.map((part) => (part["type"] === type ? String(part[type]) : "")).join("");

/** What a row expects, without the functions. */
function toldExpected({ sent, lacks, ...expected }: Expected): object {
  return { ...expected, ...(lacks !== undefined && { lacks: [] }), ...(sent !== undefined && { sent: true }) };
}

/** What came of it, of the fields that the row expects. */
function toldOutcome(expected: Expected, outcome: Outcome): object {
  const { says, lacks, sent, files, ...plain } = expected;
  const shown = outcome.shown.toLowerCase();
  const isShown = (text: string): boolean => shown.includes(text.toLowerCase());
  const unseen = says?.some((text) => !isShown(text)) ? { shown: outcome.shown.trim() } : {};
  const isWrong = sent !== undefined && !sent(outcome.bodies);
  return {
    ...Object.fromEntries(Object.keys(plain).map((key) => [key, Reflect.get(outcome, key)])),
    ...(says !== undefined && { says: says.filter(isShown), ...unseen }),
    ...(lacks !== undefined && { lacks: lacks.filter((text) => isShown(text) || outcome.text.includes(text)) }),
    ...(sent !== undefined && { sent: isWrong ? outcome.bodies.map(shortBody) : true }),
    ...(files !== undefined && {
      files: Object.fromEntries(Object.keys(files).map((name) => [name, outcome.file(name)])),
    }),
  };
}

/** A body as a failure shows it. */
const shortBody = (body: Fields): Fields =>
  Object.fromEntries(Object.entries(body).map(([name, value]) => [name, shortValue(value)]));

/** The end of what is long, where the newest is. */
const shortValue = (value: unknown): unknown =>
  JSON.stringify(value).length > 400 ? `…${JSON.stringify(value).slice(-400)}` : value;

const textAt = (path: string): string | undefined => (existsSync(path) ? readFileSync(path, "utf8") : undefined);

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const recordOf = (value: unknown): Fields => (isRecord(value) ? value : {});
