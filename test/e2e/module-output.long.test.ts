import { describe, expect, test } from "bun:test";
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "@mdx-ai/base";
import { MINIMAL_AGENT, writeFiles } from "../support/agent-files.ts";
import { mcpBench } from "../support/mcp-bench.ts";
import { oauthMcpServer } from "../support/oauth-mcp-server.ts";
import { runCli } from "../support/run-cli.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const CHATTY = `
console.log("top \\u001b[31mred\\u001b]0;title\\u0007 %d", 5);
export default {
  describe: () => ({ name: "chatty", description: "Talks" }),
  initialize: async () => console.error("initialize", { a: 1 }),
  tools: () => [],
  systemPrompt: () => "",
  start: async () => console.table([1]),
  stop: () => console.dir("stop"),
};
`;

const runs = [
  { args: ["agent", "--trust", "--prompt", "hi"], starts: /^I am the offline model/ },
  {
    args: ["agent", "--trust", "--prompt", "hi", "--json"],
    starts: /^\{"type":"agent_start","promptId":"[-0-9a-f]+","id":"1\.1"\}\n/,
  },
  { args: ["inspect", "--trust", "--json"], starts: /^\{\n/ },
];

describe("what a module prints", () => {
  test.each(runs)("goes to standard error without control sequences, in $args", async ({ args, starts }) => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "agent.mdx": MINIMAL_AGENT, "modules/chatty.ts": CHATTY });
    const { exitCode, stdout, stderr } = await runCli(args, { home: home.path });
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(starts);
    expect(stdout).not.toMatch(/\bred\b|initialize/);
    expect(stderr).toContain("module output: top red 5\n");
    expect(stderr).toContain("module output: initialize { a: 1 }\n");
    expect(stderr).not.toMatch(/(?!\n)\p{Cc}/u);
  });
});

test("what the client of an MCP server prints about a refused sign-in is a warning", async () => {
  using folder = temporaryDirectory();
  await using server = oauthMcpServer();
  const [agent, home] = [join(folder.path, "agent"), join(folder.path, "home")];
  const definition = { transport: "http" as const, url: server.url };
  writeFiles(agent, {
    "agent.mdx": `---\nmcp: {far: {url: "${server.url}", connect_timeout: 2}}\n---\n${MINIMAL_AGENT}`,
  });
  const tokens = join(home, ".local/state/mdx-ai/mcp-tokens", sha256(realpathSync(agent)).slice(0, 32));
  {
    await using signedIn = mcpBench(definition, { tokensDirectory: tokens, onSignIn: (url) => void fetch(url) });
    await signedIn.call("echo");
  }
  server.expire();
  server.revoke();
  const { exitCode, stderr } = await runCli(["agent", "--trust", "--prompt", "hi"], { home, cwd: agent });
  expect(exitCode).toBe(0);
  expect(stderr).toMatch(/^.*MCP client output: OAuth "invalid_grant" .*$/m);
  expect(stderr).not.toContain("[mcp-sdk]");
});

test("a module that ends the program is reported and is no success", async () => {
  using home = temporaryDirectory();
  writeFiles(home.path, { "agent.mdx": MINIMAL_AGENT, "modules/leaver.ts": "process.exit(0);" });
  const run = await runCli(["agent", "--trust", "--prompt", "hi"], { home: home.path });
  expect(run).toEqual({
    exitCode: 1,
    stdout: "",
    stderr: "mdx-ai: a module ended the program with process.exit()\n",
  });
});
