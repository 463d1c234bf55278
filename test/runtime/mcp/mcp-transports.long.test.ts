import { expect, test } from "bun:test";
import { join } from "node:path";
import { agentDirectory } from "../../support/agent-directory.ts";
import { eventually } from "../../support/eventually.ts";
import { agentWithServers } from "../../support/mcp-server-file.ts";
import { openScriptAgent } from "../../support/script-agent.ts";

test("an old server over SSE is called", async () => {
  const everything = "../../../node_modules/@modelcontextprotocol/server-everything/dist/index.js";
  const free = Bun.serve({ port: 0, fetch: () => new Response() });
  const port = free.port;
  await free.stop(true);
  const command = [process.execPath, join(import.meta.dir, everything), "sse"];
  const server = Bun.spawn(command, { env: { ...process.env, PORT: `${port}` }, stdio: ["ignore", "ignore", "pipe"] });
  const said: string[] = [];
  void server.stderr.pipeTo(new WritableStream({ write: (bytes) => void said.push(Buffer.from(bytes).toString()) }));
  await eventually(() => expect(said.join("")).toContain(`${port}`));
  using directory = agentDirectory({
    "agent.mdx": agentWithServers(`  there: {transport: sse, url: "http://127.0.0.1:${port}/sse"}\n`),
  });
  const agent = await openScriptAgent(directory.path, []);
  const [there] = agent.servers;
  const signal = new AbortController().signal;
  const result = await there?.call("echo", { message: "tea" }, { signal });
  expect(result?.content).toEqual([{ type: "text", text: "Echo: tea" }]);
  await agent.close();
  server.kill();
  await server.exited;
});
