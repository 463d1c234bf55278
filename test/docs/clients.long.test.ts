import { expect, test } from "bun:test";
import { join } from "node:path";
import { client, methods, ndJsonStream, PROTOCOL_VERSION } from "@agentclientprotocol/sdk";
import { MINIMAL_AGENT, writeText } from "../support/agent-files.ts";
import { mcpBench, textOf } from "../support/mcp-bench.ts";
import { pageSteps } from "../support/page-run.ts";
import { scriptReference } from "../support/replies.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { userEnvironment } from "../support/run-lines.ts";
import type { Json } from "../support/served-agent.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

/** How a client's configuration on a page starts the agent, for an agent of ours with one answer. */
async function configured(page: string, file: string, home: string, entryOf: (settings: Json) => Json) {
  const markdown = await Bun.file(join(import.meta.dir, "../../docs", page)).text();
  const step = pageSteps(markdown).find((one) => one.kind === "file" && one.path === file);
  const { command, args, env } = entryOf(JSON.parse(step?.kind === "file" ? step.text : "{}"));
  const directory = join(home, "my-agent");
  writeText(join(directory, "agent.mdx"), MINIMAL_AGENT);
  expect((await runCommandLine(["trust", directory], { home })).exitCode).toBe(0);
  const own = args.map((word: string) => word.replace("/path/to/my-agent", directory));
  // Options of a run can follow.
  const model = ["--model", scriptReference(home, [{ text: "Hello." }])];
  const environment = { ...userEnvironment(home), ...env };
  return { command: join(environment.PATH.split(":")[0], command), args: [...own, ...model], env: environment };
}

test("the configuration of other agents starts an MCP server that answers", async () => {
  using home = temporaryDirectory();
  const started = await configured("protocols.md", ".mcp.json", home.path, (one) => one.mcpServers["my-agent"]);
  await using bench = mcpBench({ transport: "stdio", ...started });
  expect(textOf(await bench.call("prompt", { text: "Hi." }))).toContain("Hello.");
});

test("the settings of Zed start an agent that answers", async () => {
  using home = temporaryDirectory();
  const started = await configured("editors.md", "settings.json", home.path, (one) => one.agent_servers["My agent"]);
  const child = Bun.spawn([started.command, ...started.args], {
    ...{ cwd: home.path, env: started.env, stdin: "pipe", stdout: "pipe", stderr: "inherit" },
  });
  const input = new WritableStream<Uint8Array>({
    write: async (bytes) => {
      child.stdin.write(bytes);
      await child.stdin.flush();
    },
  });
  const { agent } = client({ name: "test" })
    .onNotification(methods.client.session.update, () => {})
    .connect(ndJsonStream(input, child.stdout));
  await agent.request(methods.agent.initialize, { protocolVersion: PROTOCOL_VERSION, clientCapabilities: {} });
  const { sessionId } = await agent.request(methods.agent.session.new, { cwd: home.path, mcpServers: [] });
  const prompt = [{ type: "text" as const, text: "Hi." }];
  expect(await agent.request(methods.agent.session.prompt, { sessionId, prompt })).toEqual({ stopReason: "end_turn" });
  await child.stdin.end();
  expect(await child.exited).toBe(0);
});
