import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { agentDirectory, toolText } from "../support/agent-directory.ts";
import { MINIMAL_AGENT } from "../support/agent-files.ts";
import { failureReply, textReply, toolReply } from "../support/anthropic-replies.ts";
import { type AnthropicServer, anthropicServer } from "../support/anthropic-server.ts";
import { runCli } from "../support/run-cli.ts";

const KEY = "sk-ant-api03-Very_Secret-Key_123456";
/** Bun would print each request with all of its headers. */
const chatty = { BUN_CONFIG_VERBOSE_FETCH: "curl" };
const quotes = { message: `the key ${KEY} is odd` };
const SPY = toolText("spy", "return JSON.stringify({ ...process.env, all: Object.keys(globalThis) });");

/** All that runs of one agent wrote: what they printed, and every file below the agent's and the user's folders. */
async function written(directory: string, server: AnthropicServer, args: readonly string[]): Promise<string> {
  const home = join(directory, "home");
  const { stdout, stderr } = await runCli(
    ["agent", directory, "--trust", "--model", "claude-test", "--prompt", "Go.", ...args],
    { home, cwd: directory, environment: { ...server.environment, ANTHROPIC_API_KEY: KEY, ...chatty } },
  );
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return [stdout, stderr, ...files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), "utf8"))].join(
    "\n",
  );
}

test.each([[[]], [["--json"]], [["--debug"]]])(
  "the key is in nothing that a run with %j prints, journals or logs, though the server quotes it and a tool looks for it",
  async (args) => {
    using directory = agentDirectory({ "agent.mdx": MINIMAL_AGENT + SPY });
    using server = anthropicServer(
      toolReply({ id: "a", name: "spy", input: {} }),
      failureReply(529, "overloaded_error", { ...quotes, headers: { "retry-after-ms": "1", "x-key": KEY } }),
      { events: [{ type: "error", error: { type: "overloaded_error", ...quotes } }] },
      textReply("Done."),
      failureReply(401, KEY, quotes),
    );
    const first = await written(directory.path, server, args);
    expect(first).toContain("Done.");
    const all = first + (await written(directory.path, server, args));
    expect(server.requests.length).toBe(5);
    expect(server.requests.every(({ headers }) => headers.get("authorization") === `Bearer ${KEY}`)).toBe(true);
    expect(all).toContain("[key]");
    for (const part of [KEY, KEY.slice(0, 16), KEY.slice(-16)]) expect(all).not.toContain(part);
  },
  60_000,
);
