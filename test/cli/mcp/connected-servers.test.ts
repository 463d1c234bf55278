import { describe, expect, test } from "bun:test";
import { agentDirectory } from "../../support/agent-directory.ts";
import { agentWithServers, bareServer, fileServer } from "../../support/mcp-server-file.ts";
import { runCommandLine } from "../../support/run-command-line.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const files = {
  "agent.mdx": agentWithServers(fileServer("bare", "server.mjs")),
  "server.mjs": bareServer(`
    tools = [
      { name: "greet", description: "Greets.", inputSchema: { type: "object" } },
      { name: "greet twice", inputSchema: { type: "object" } },
      { name: "hid\\u200bden", inputSchema: { type: "object" } },
    ];
    handlers["resources/list"] = (id) => answer(id, { resources: [{ uri: "tea://green", name: "green" }] });
    handlers["resources/read"] = (id, { uri }) => answer(id, { contents: [{ uri, text: "the text of " + uri }] });`),
  "skills/.keep": "",
};

describe("a tool whose name cannot be used", () => {
  test("is named on standard error and in the list of the server", async () => {
    using directory = agentDirectory(files);
    using home = temporaryDirectory();
    const args = ["mcp", directory.path, "--trust"];
    const { stdout, stderr } = await runCommandLine(args, { home: home.path });
    expect(stderr).toContain(
      "the MCP server bare lists 2 tools whose names cannot be used: greet twice, hid\\u{200b}den",
    );
    expect(stdout).toContain("    greet  Greets.\n  left out for their names: greet twice, hid\\u{200b}den\n");
    const json = JSON.parse((await runCommandLine([...args, "--json"], { home: home.path })).stdout);
    expect(json.servers).toMatchObject([{ name: "bare", leftOut: ["greet twice", "hid\\u{200b}den"] }]);
  });
});

describe("mdx-ai inspect --connect", () => {
  test("starts the servers and shows their tools, of a trusted directory only", async () => {
    using directory = agentDirectory(files);
    using home = temporaryDirectory();
    const inspect = (...more: string[]) => runCommandLine(["inspect", directory.path, ...more], { home: home.path });
    const without = await inspect();
    expect(without.stdout).toContain("MCP servers (not started; --connect starts them)");
    expect(without.stdout).not.toContain("Greets.");
    expect((await inspect("--connect")).exitCode).toBe(3);
    const { stdout, exitCode } = await inspect("--connect", "--trust");
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining("mcp_bare_greet  Greets.")]);
    expect(stdout).toMatch(/MCP servers\n\n {2}bare .*\(agent\.mdx; connected\)/);
    const json = JSON.parse((await inspect("--connect", "--trust", "--json")).stdout);
    expect(json.servers).toMatchObject([{ name: "bare", state: { type: "connected" } }]);
  });
});
