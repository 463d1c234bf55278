import { expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { toolText } from "../support/agent-directory.ts";
import { MINIMAL_AGENT, writeFiles } from "../support/agent-files.ts";
import { answerChunks, failureReply, textReply, toolReply } from "../support/openai-replies.ts";
import type { RuledVendor } from "../support/openai-rules.ts";
import { openAiServer, testKey } from "../support/openai-server.ts";
import * as responses from "../support/responses-replies.ts";
import { responsesServer } from "../support/responses-server.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const SHOUT = toolText("shout", "return params.text.toUpperCase();");

/** All that a run left on disk, as one text. */
function everything(directory: string): string {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8")).join("\n");
}

test.each<{ vendor: RuledVendor; reference: string }>([
  { vendor: "openai", reference: "openai/llama" },
  { vendor: "azure", reference: "azure/my-deployment" },
  { vendor: "gemini", reference: "gemini/gemini-3.8-flash" },
  { vendor: "mistral", reference: "mistral/mistral-large-latest" },
  { vendor: "openrouter", reference: "openrouter/qwen/qwen3-coder" },
  { vendor: "groq", reference: "groq/llama-3.3-70b-versatile" },
  { vendor: "deepseek", reference: "deepseek/deepseek-flash" },
  { vendor: "xai", reference: "xai/grok-4.7" },
  { vendor: "ollama", reference: "ollama/qwen3:8b" },
])(
  "an agent runs unchanged on $vendor: tools side by side, a failure, and a restart",
  async ({ vendor, reference }) => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "agent.mdx": MINIMAL_AGENT + SHOUT });
    writeFileSync(join(home.path, "a.txt"), "from the file");
    const extra = { google: { thought_signature: "c2ln" } };
    const calls = [
      { id: "call_1", name: "read_file", json: ['{"path":', '"a.txt"}'], ...(vendor === "gemini" && { extra }) },
      { id: "call_2", name: "shout", json: ['{"text":"hey"}'] },
      { id: "call_3", name: "no.such", json: ["{nonsense"] },
    ];
    using server = openAiServer(
      { chunks: answerChunks([{ thinking: ["Hm."] }, { text: ["I look."] }, ...calls]) },
      textReply("All ", "read."),
      toolReply({ id: "call_1", name: "shout", input: { text: "again" } }),
      textReply("Read again."),
    );
    const options = { home: home.path, environment: server.environment(vendor) };
    const ask = ["agent", "--trust", "--model", reference, "--prompt"];
    const first = await runCommandLine([...ask, "Read it."], options);
    expect(first).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("All read.") });
    const second = await runCommandLine([...ask, "Once more."], options);
    expect(second).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("Read again.") });
    expect(server.requests.map(({ refusal }) => refusal)).toStrictEqual([undefined, undefined, undefined, undefined]);
    const results = ["from the file", "HEY", "Error"].map((content) => ({ content: expect.stringContaining(content) }));
    const [, answered] = server.requests;
    expect(answered?.body).toMatchObject({
      messages: [{ role: "system" }, { role: "user" }, { content: "I look." }, ...results],
    });
    expectGrowth(server.requests.map(({ text }) => text));
    expect(everything(home.path) + [first, second].map(({ stdout, stderr }) => stdout + stderr)).not.toContain(testKey);
  },
);

test("an agent runs unchanged on OpenAI's own interface: tools side by side, thinking, a failure, and a restart", async () => {
  using home = temporaryDirectory();
  writeFiles(home.path, { "agent.mdx": MINIMAL_AGENT + SHOUT });
  writeFileSync(join(home.path, "a.txt"), "from the file");
  const calls = [
    { id: "call_1", name: "read_file", json: ['{"path":', '"a.txt"}'] },
    { id: "call_2", name: "shout", json: ['{"text":"hey"}'] },
    { id: "call_3", name: "no.such", json: ["{nonsense"] },
  ];
  const events = responses.responseEvents([
    { thinking: ["Hm."], signature: "gAAA+/==" },
    { text: ["I look."], phase: "commentary" },
    ...calls,
  ]);
  using server = responsesServer(
    { events: events.slice(0, -1) },
    { events },
    responses.textReply("All ", "read."),
    responses.toolReply({ id: "call_1", name: "shout", input: { text: "again" } }),
    responses.textReply("Read again."),
  );
  const { environment } = server;
  const ask = ["agent", "--trust", "--model", "openai/gpt-5.4", "--prompt"];
  const first = await runCommandLine([...ask, "Read it."], { home: home.path, environment });
  expect(first).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("All read.") });
  const second = await runCommandLine([...ask, "Once more.", "--no-stream"], { home: home.path, environment });
  expect(second).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("Read again.") });
  expect(server.requests.map(({ refusal }) => refusal)).toStrictEqual(Array.from({ length: 5 }, () => undefined));
  const results = ["from the file", "HEY", "Error"].map((output) => ({ output: expect.stringContaining(output) }));
  const thinking = { type: "reasoning", encrypted_content: "gAAA+/==" };
  const said = { role: "assistant", phase: "commentary" };
  const called = calls.map(({ id: call_id }) => ({ type: "function_call", call_id }));
  expect(server.requests[2]?.body).toMatchObject({ input: [{ role: "user" }, thinking, said, ...called, ...results] });
  expect(server.requests[4]?.text).toContain('"encrypted_content":"gAAA+/=="');
  // Without a stream only the head differs.
  expectGrowth(server.requests.slice(0, 3).map(({ text }) => text));
  expectGrowth(server.requests.slice(3).map(({ text }) => text));
  expect(everything(home.path) + [first, second].map(({ stdout, stderr }) => stdout + stderr)).not.toContain(testKey);
});

test("a server without that interface says which setting asks it, and is asked by it", async () => {
  using home = temporaryDirectory();
  writeFiles(home.path, { "agent.mdx": MINIMAL_AGENT });
  using server = openAiServer(textReply("Hello."));
  const ask = ["agent", "--trust", "--model", "openai/gpt-4.1", "--prompt", "Hi."];
  const environment = server.environment("openai");
  const refused = await runCommandLine(ask, { home: home.path, environment });
  const [, setting = ""] = /LLM_PROVIDER_CONFIG='([^']+)'/.exec(refused.stderr) ?? [];
  expect(setting).toBe('{"api": "chat"}');
  const asked = await runCommandLine(ask, {
    home: home.path,
    environment: { ...environment, LLM_PROVIDER_CONFIG: setting },
  });
  expect(asked).toMatchObject({ exitCode: 0, stdout: "Hello.\n" });
});

test("a stream that breaks off is asked for again, and none of its calls runs before it is whole", async () => {
  using home = temporaryDirectory();
  const effect = 'const fs = await import("node:fs"); fs.appendFileSync(ctx.agentDir + "/effects", params.text);';
  writeFiles(home.path, { "agent.mdx": MINIMAL_AGENT + toolText("mark", `${effect}\nreturn "marked";`) });
  const call = (text: string) => ({ id: "call_1", name: "mark", json: [JSON.stringify({ text })] });
  using server = openAiServer(
    { chunks: answerChunks([{ text: ["Half"] }, call("lost")]).slice(0, -2), done: false },
    { chunks: answerChunks([call("kept")]) },
    failureReply(503, "server_error", { headers: { "retry-after-ms": "1" } }),
    textReply("Marked."),
  );
  const ask = ["agent", "--trust", "--model", "openai/llama", "--prompt", "Mark."];
  const result = await runCommandLine(ask, { home: home.path, environment: server.environment("openai") });
  expect(result).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("Marked.") });
  expect(readFileSync(join(home.path, "effects"), "utf8")).toBe("kept");
  expect(server.requests.map(({ refusal }) => refusal)).toStrictEqual([undefined, undefined, undefined, undefined]);
  const [first, again, later, latest] = server.requests.map(({ text }) => text);
  expect([again, latest]).toEqual([first, later]);
});

/** Each body begins with the one before it, across prompts and processes: the vendors cache by the beginning. */
function expectGrowth(bodies: readonly string[]): void {
  for (const [place, body] of bodies.slice(0, -1).entries()) {
    expect(bodies[place + 1]?.startsWith(body.slice(0, -"]}".length))).toBe(true);
  }
}
