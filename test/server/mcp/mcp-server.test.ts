import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { McpProgress, McpQuestion } from "@mdx-ai/mcp";
import { GREETING_AGENT } from "../../support/agent-files.ts";
import { ASKING_AGENT, ASKING_REPLIES, DENYING_AGENT } from "../../support/limited-agent.ts";
import { mcpAgent } from "../../support/mcp-agent.ts";
import { textOf } from "../../support/mcp-bench.ts";
import { ask, clientOf, WRITE } from "../../support/mcp-server-bench.ts";
import { bodyOf, type Json } from "../../support/served-agent.ts";

const sessionOf = (result: { readonly structuredContent?: Json }): string => result.structuredContent.session;

test("offers the agent's tools, whose arguments it checks, and calls them without a model", async () => {
  await using agent = await mcpAgent({ files: { "agent.mdx": GREETING_AGENT } });
  await using bench = clientOf(agent);
  expect(textOf(await bench.call("greet", { name: "Ada", times: 2 }))).toBe("Hello Ada, Hello Ada");
  expect(bench.connection.tools.map(({ name }) => name)).toEqual(expect.arrayContaining(["prompt", "greet", "bash"]));
  const wrong = await bench.call("greet", { times: 2 });
  expect([wrong.isError, textOf(wrong)]).toEqual([true, expect.stringContaining("name")]);
  expect((await bench.call("greet", { name: "nobody" })).isError).toBe(true);
});

test("a call that the user would have to allow is an error", async () => {
  await using agent = await mcpAgent();
  await using bench = clientOf(agent);
  const result = await bench.call("bash", { command: "touch made.txt" });
  expect(result.isError).toBe(true);
  expect(existsSync(join(agent.directory, "made.txt"))).toBe(false);
});

test("the tool prompt runs a prompt with progress, and continues its session, which is a resource", async () => {
  const replies = [
    { calls: [{ id: "c1", name: "greet", arguments: { name: "Ada" } }] },
    { deltas: ["Greeted ", "her."] },
    { text: "Again." },
  ];
  await using agent = await mcpAgent({ files: { "agent.mdx": GREETING_AGENT }, replies });
  await using bench = clientOf(agent);
  const progress: McpProgress[] = [];
  const options = { signal: new AbortController().signal, onProgress: (step: McpProgress) => progress.push(step) };
  const first = await bench.connection.call("prompt", { text: "Greet Ada." }, options);
  expect(textOf(first)).toContain("Greeted her.");
  expect(progress.map(({ message }) => message)).toEqual([expect.stringContaining("greet"), "Greeted her."]);
  const session = sessionOf(first);
  const second = await bench.call("prompt", { text: "Again?", session });
  expect([textOf(second), sessionOf(second)]).toEqual([expect.stringContaining("Again."), session]);

  expect((await bench.connection.resources()).map(({ uri }) => uri)).toContain(`session://${session}`);
  const [content] = await bench.connection.readResource(`session://${session}`);
  expect(content?.type === "text" && content.text).toContain("Greet Ada.");
  expect(bench.connection.readResource("session://unknown")).rejects.toThrow("not found");
  for (const [args, text] of [
    [{ text: " " }, "needs a text"],
    [{ text: "a", session: "../a" }, "session"],
  ] as const) {
    const refused = await bench.call("prompt", args);
    expect([refused.isError, textOf(refused)]).toEqual([true, expect.stringContaining(text)]);
  }
});

test.each([
  ["yes", true],
  ["no", false],
])("a question is asked through the client: %s", async (answer, isMade) => {
  await using agent = await mcpAgent({ replies: [WRITE, { text: "Done." }] });
  const questions: McpQuestion[] = [];
  await using bench = clientOf(agent, {
    onQuestion: async (question) => {
      questions.push(question);
      return { action: "accept", content: { answer } };
    },
  });
  const result = await bench.call("prompt", { text: "Write." });
  expect(textOf(result)).toContain("Done.");
  expect(existsSync(join(agent.directory, "made.txt"))).toBe(isMade);
  expect(questions).toMatchObject([{ type: "form", message: expect.stringContaining("made.txt") }]);
});

test.each([
  ["yes", false, "Done."],
  ["no", true, "tokens"],
] as const)("a limit that asks is asked through the client: %s", async (answer, isError, text) => {
  await using agent = await mcpAgent({ files: ASKING_AGENT, replies: ASKING_REPLIES });
  const questions: McpQuestion[] = [];
  await using bench = clientOf(agent, {
    onQuestion: async (question) => {
      questions.push(question);
      return { action: "accept", content: { answer } };
    },
  });
  const result = await bench.call("prompt", { text: "Go." });
  expect([result.isError ?? false, textOf(result)]).toEqual([isError, expect.stringContaining(text)]);
  expect(questions).toMatchObject([{ type: "form", message: expect.stringContaining("100") }]);
});

test("a prompt that a hook denies is an error with the reason", async () => {
  await using agent = await mcpAgent({ files: DENYING_AGENT, replies: [{ text: "never" }] });
  await using bench = clientOf(agent);
  const result = await bench.call("prompt", { text: "Go." });
  expect([result.isError, textOf(result)]).toEqual([true, expect.stringContaining("closed on Sundays")]);
});

test("skills are listed with digests", async () => {
  const skill = "---\nname: tea\ndescription: Makes tea\n---\n\nBoil water.\n";
  await using agent = await mcpAgent({ files: { "skills/tea/SKILL.md": skill } });
  const { result } = await bodyOf(await ask(agent, "skills/list"));
  expect(JSON.stringify(result.skills)).toContain(new Bun.CryptoHasher("sha256").update(skill).digest("hex"));
  expect(result.skills).toMatchObject([{ frontmatter: { name: "tea" } }]);
});

test.each([
  ["without a token", { authorization: "" }, 401],
  ["with a wrong token", { authorization: "Bearer wrong" }, 401],
  ["for another host", { host: "evil.example" }, 421],
  ["from a page elsewhere", { origin: "https://evil.example" }, 403],
])("a request %s gets nothing", async (_how, headers, status) => {
  await using agent = await mcpAgent();
  expect((await ask(agent, "tools/list")).status).toBe(200);
  const refused = await ask(agent, "tools/list", headers);
  expect([refused.status, await refused.text()]).toEqual([status, expect.not.stringContaining("prompt")]);
});
