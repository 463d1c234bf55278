import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { GREETING_AGENT, writeFiles } from "../support/agent-files.ts";
import { runCli } from "../support/run-cli.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../support/temporary-directory.ts";

const MODULE = `require("node:fs").appendFileSync(process.env.HOME + "/mark", "ran");
export default {
  describe: () => ({ name: "clock", description: "Tells" }),
  initialize: async () => {},
  tools: () => [{ name: "tell time", description: "Tell", parameters: { type: "object" }, execute: async () => "noon" }],
  systemPrompt: () => "The module speaks.",
  start: async () => {},
  stop: () => {},
};
`;

function homeWithAgent(): TemporaryDirectory {
  const home = temporaryDirectory();
  writeFiles(home.path, {
    "agent/agent.mdx": GREETING_AGENT,
    "agent/modules/clock.ts": MODULE,
    "agent/skills/tea/SKILL.md": "---\nname: tea\ndescription: Make tea\n---\n\nx\n",
  });
  return home;
}

/** Answers every request with one text and keeps what was asked. */
function recordingServer(): { readonly url: string; readonly bodies: unknown[] } & Disposable {
  const bodies: unknown[] = [];
  const events = [
    {
      type: "message_start",
      message: {
        id: "m",
        type: "message",
        role: "assistant",
        model: "x",
        content: [],
        usage: { input_tokens: 1, output_tokens: 1 },
      },
    },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "ok" } },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 1 } },
    { type: "message_stop" },
  ];
  const stream = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      bodies.push(await request.json());
      return new Response(stream, { headers: { "content-type": "text/event-stream" } });
    },
  });
  return { url: server.url.href.replace(/\/$/, ""), bodies, [Symbol.dispose]: () => void server.stop(true) };
}

describe("mdx-ai inspect", () => {
  test("prints the system prompt, the tools and their sizes", async () => {
    using home = homeWithAgent();
    const { exitCode, stdout, stderr } = await runCli(["inspect", "agent", "--trust"], { home: home.path });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    for (const part of ["Greet people.", "Make tea", "The module speaks.", "tell_time", "read_file"]) {
      expect(stdout).toContain(part);
    }
    expect(stdout).toMatch(/System prompt \([\d,]+ characters, about [\d,]+ tokens\)/);
    expect(stdout).not.toContain("Hello ${");
  });

  test("says to the letter what a model gets", async () => {
    using home = homeWithAgent();
    using server = recordingServer();
    const inspected = await runCli(["inspect", "agent", "--trust", "--json"], { home: home.path });
    const environment = { ANTHROPIC_API_KEY: "test", ANTHROPIC_BASE_URL: server.url };
    const args = ["agent", "agent", "--trust", "--prompt", "hi", "--model", "anthropic/x"];
    expect(await runCli(args, { home: home.path, environment })).toMatchObject({ exitCode: 0, stdout: "ok\n" });
    const { system, tools } = JSON.parse(inspected.stdout);
    const sent = server.bodies[0];
    expect(JSON.stringify(sent)).toContain(JSON.stringify(system));
    const withoutCache = (tool: { name: string; description: string; input_schema: unknown }): unknown => ({
      name: tool.name,
      description: tool.description,
      parameters: tool.input_schema,
    });
    expect(sent).toMatchObject({ tools: expect.anything() });
    const sentTools =
      typeof sent === "object" && sent !== null && "tools" in sent && Array.isArray(sent.tools) ? sent.tools : [];
    expect(sentTools.map(withoutCache)).toEqual(tools);
  });

  test("runs nothing of an untrusted directory and says what it left out", async () => {
    using home = homeWithAgent();
    const { exitCode, stdout, stderr } = await runCli(["inspect", "agent"], { home: home.path });
    expect(exitCode).toBe(0);
    expect(stdout).toContain("greet");
    expect(stdout).not.toContain("The module speaks.");
    expect(stderr).toContain("modules/clock.ts");
    expect(await Bun.file(join(home.path, "mark")).exists()).toBe(false);
  });

  test("ends quietly where its reader goes away", async () => {
    using home = homeWithAgent();
    const filler = "A long line of prose for the model to read.\n".repeat(20_000);
    writeFiles(home.path, { "long/agent.mdx": `${GREETING_AGENT.replace("Greet people.", filler)}` });
    const { cliCommand, cliEnvironment } = await import("../support/run-cli.ts");
    const child = Bun.spawn(
      ["sh", "-c", '("$@"; echo "exit $?" >&2) | head -c 20', "sh", ...cliCommand(["inspect", "long"])],
      {
        cwd: home.path,
        env: cliEnvironment({ home: home.path }),
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
    expect(stdout).toHaveLength(20);
    expect(stderr).toBe("exit 0\n");
  });
});
