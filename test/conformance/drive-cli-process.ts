// The client of a scenario of the conformance suite, which calls it with the address of its server: our program runs an agent that has
// this server, a scripted model calls its tools, and this process is the user, who opens what the program says and answers its questions.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isRecord } from "@mdx-ai/base";
import { cliCommand, cliEnvironment } from "../support/run-cli.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

interface Call {
  readonly name: string;
  readonly arguments?: object;
}

/** The tools that a scenario wants called; by default those of the scenarios of sign-ins. */
const CALLS: Readonly<Record<string, readonly Call[]>> = {
  initialize: [],
  tools_call: [{ name: "add_numbers", arguments: { a: 5, b: 3 } }],
  "elicitation-sep1034-client-defaults": [{ name: "test_client_elicitation_defaults" }],
  "sse-retry": [{ name: "test_reconnection" }],
  "request-metadata": [],
  "sep-2322-client-request-state": [
    { name: "test_mrtr_echo_state" },
    { name: "test_mrtr_no_state" },
    { name: "test_mrtr_unrelated" },
    { name: "test_mrtr_no_result_type" },
  ],
  "http-standard-headers": [{ name: "test_headers" }, { name: "my-hyphenated-tool" }],
  "http-invalid-tool-headers": [{ name: "valid_tool", arguments: { region: "us-west1" } }],
  "json-schema-ref-no-deref": [{ name: "lookup_user", arguments: { id: "u1", profile: { displayName: "A" } } }],
};

/** Scenarios in which the server asks the user. */
const ASKING = new Set(["elicitation-sep1034-client-defaults", "sep-2322-client-request-state", "request-metadata"]);

const url = process.argv.at(-1) ?? "";
const scenario = process.env["MCP_CONFORMANCE_SCENARIO"] ?? "";
const context: unknown = JSON.parse(process.env["MCP_CONFORMANCE_CONTEXT"] ?? "{}");

using directory = temporaryDirectory();

/** A run that takes longer hangs. */
const DEADLINE = { timeout: 90_000, killSignal: "SIGKILL" } as const;

const DOWN = "\u001b[B";

function writeAgent(): void {
  const oauth = {
    client_metadata_url: "https://conformance-test.local/client-metadata.json",
    ...(isRecord(context) && typeof context["client_id"] === "string"
      ? { client_id: context["client_id"], client_secret: "${CLIENT_SECRET}" }
      : {}),
  };
  const server = JSON.stringify({ suite: { url, oauth } });
  mkdirSync(join(directory.path, "agent/skills"), { recursive: true });
  writeFileSync(
    join(directory.path, "agent/agent.mdx"),
    `---\nmcp: ${server}\n---\n# Agent: Suite\n\n## Purpose\n\nUse a server.\n`,
  );
  const calls = callsOf(scenario).map((call) => ({ ...call, name: `mcp_suite_${call.name}` }));
  const replies = [...(calls.length > 0 ? [{ calls }] : []), { text: "Done." }];
  writeFileSync(join(directory.path, "replies.jsonl"), replies.map((reply) => `${JSON.stringify(reply)}\n`).join(""));
}

function callsOf(name: string): readonly Call[] {
  if (isRecord(context) && Array.isArray(context["toolCalls"])) return context["toolCalls"];
  return CALLS[name] ?? [{ name: "test-tool" }];
}

function command(): string[] {
  const { path } = directory;
  const flags = ["--trust", "--allow", "mcp.suite.*", "--model", `script:${join(path, "replies.jsonl")}`];
  return cliCommand(["agent", join(path, "agent"), "--prompt", "Use it.", ...flags]);
}

function environment(): Record<string, string | undefined> {
  const secret = isRecord(context) ? context["client_secret"] : undefined;
  return cliEnvironment({
    home: directory.path,
    environment: { CLIENT_SECRET: typeof secret === "string" ? secret : "" },
  });
}

async function runInPipe(): Promise<number> {
  const child = Bun.spawn(command(), {
    cwd: directory.path,
    env: environment(),
    stdout: "inherit",
    stderr: "pipe",
    ...DEADLINE,
  });
  const decoder = new TextDecoder();
  let seen = "";
  for await (const bytes of child.stderr) {
    process.stderr.write(bytes);
    seen = openAddresses(seen + decoder.decode(bytes, { stream: true }));
  }
  return child.exited;
}

/** Opens the addresses on whole lines like a browser; returns the rest. */
function openAddresses(text: string): string {
  const lines = text.split("\n");
  const rest = lines.pop() ?? "";
  for (const line of lines) {
    const [, address] = /open (http\S+)/.exec(line) ?? [];
    if (address !== undefined) void fetch(address).then((response) => response.text());
  }
  return rest;
}

async function runOnTerminal(): Promise<number> {
  let seen = "";
  const child = Bun.spawn(command(), {
    cwd: directory.path,
    env: environment(),
    ...DEADLINE,
    terminal: {
      cols: 200,
      rows: 50,
      data: (terminal, data) => {
        process.stderr.write(data);
        seen += Bun.stripANSI(Buffer.from(data).toString());
        const [question] = /The MCP server suite asks[\s\S]*?Enter: confirm/.exec(seen) ?? [];
        if (question === undefined) return;
        seen = "";
        terminal.write(keysFor(question));
      },
    },
  });
  return child.exited;
}

/** Takes the suggestion of the server in a list of answers, else the first one, which agrees. */
function keysFor(question: string): string {
  const answers = [...question.matchAll(/[●○] (\w+)/g)].map(([, word]) => word);
  return `${DOWN.repeat(Math.max(0, answers.indexOf("use")))}\r`;
}

writeAgent();
process.exitCode = await (ASKING.has(scenario) ? runOnTerminal() : runInPipe());
