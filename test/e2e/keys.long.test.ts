import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { agentDirectory, toolText } from "../support/agent-directory.ts";
import { MINIMAL_AGENT } from "../support/agent-files.ts";
import { failureReply, textReply, toolReply } from "../support/anthropic-replies.ts";
import { anthropicServer } from "../support/anthropic-server.ts";
import * as openai from "../support/openai-replies.ts";
import type { RuledVendor } from "../support/openai-rules.ts";
import { openAiServer, testKey } from "../support/openai-server.ts";
import { runCommandLine } from "../support/run-command-line.ts";

const KEY = "sk-ant-api03-Very_Secret-Key_123456";
/** Bun would print each request with all of its headers. */
const chatty = { BUN_CONFIG_VERBOSE_FETCH: "curl" };
const quoted = (key: string) => ({ message: `the key ${key} is odd` });
const SPY = toolText("spy", "return JSON.stringify({ ...process.env, all: Object.keys(globalThis) });");

/** All that runs of one agent wrote: what they printed, and every file below the agent's and the user's folders. */
async function written(
  directory: string,
  variables: Readonly<Record<string, string>>,
  args: readonly string[],
): Promise<string> {
  const home = join(directory, "home");
  const environment = { ...variables, ...chatty };
  const command = ["agent", directory, "--trust", "--prompt", "Go.", ...args];
  const { stdout, stderr } = await runCommandLine(command, { home, cwd: directory, environment });
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return [stdout, stderr, ...files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), "utf8"))].join(
    "\n",
  );
}

function expectNone(key: string, all: string): void {
  expect(all).toContain("[key]");
  for (const part of [key, key.slice(0, 16), key.slice(-16)]) expect(all).not.toContain(part);
}

test.each([[[]], [["--json"]], [["--debug"]]])(
  "the key is in nothing that a run with %j prints, journals or logs, though the server quotes it and a tool looks for it",
  async (options) => {
    const quotes = quoted(KEY);
    using directory = agentDirectory({ "agent.mdx": MINIMAL_AGENT + SPY });
    using server = anthropicServer(
      toolReply({ id: "a", name: "spy", input: {} }),
      failureReply(529, "overloaded_error", { ...quotes, headers: { "retry-after-ms": "1", "x-key": KEY } }),
      { events: [{ type: "error", error: { type: "overloaded_error", ...quotes } }] },
      textReply("Done."),
      failureReply(401, KEY, quotes),
    );
    const environment = { ...server.environment, ANTHROPIC_API_KEY: KEY };
    const args = ["--model", "claude-test", ...options];
    const first = await written(directory.path, environment, args);
    expect(first).toContain("Done.");
    const all = first + (await written(directory.path, environment, args));
    expect(server.requests.length).toBe(5);
    expect(server.requests.every(({ headers }) => headers.get("authorization") === `Bearer ${KEY}`)).toBe(true);
    expectNone(KEY, all);
  },
);

test.each<[RuledVendor, string[]]>([
  ["openai", []],
  ["openai", ["--json"]],
  ["openai", ["--debug"]],
  ["azure", ["--debug"]],
])("the key of %s is in nothing either that a run with %j prints, journals or logs", async (vendor, options) => {
  const quotes = quoted(testKey);
  using directory = agentDirectory({ "agent.mdx": MINIMAL_AGENT + SPY });
  using server = openAiServer(
    openai.toolReply({ id: "a", name: "spy", input: {} }),
    openai.failureReply(503, "server_error", { ...quotes, headers: { "retry-after-ms": "1", "x-key": testKey } }),
    { chunks: [openai.chunkOf({ content: "Half" }), { error: { type: "server_error", ...quotes }, choices: [] }] },
    openai.textReply("Done."),
    openai.failureReply(403, testKey, { ...quotes, code: testKey }),
  );
  const environment = server.environment(vendor);
  const args = ["--model", `${vendor}/some-model`, ...options];
  const first = await written(directory.path, environment, args);
  expect(first).toContain("Done.");
  const all = first + (await written(directory.path, environment, args));
  expect(server.requests.length).toBe(5);
  expectNone(testKey, all);
});
