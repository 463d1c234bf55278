import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentEvent } from "@mdx-ai/loop";
import { openModel } from "@mdx-ai/models";
import { type AgentDirectory, readAgentDirectory } from "@mdx-ai/parser";
import { type Agent, type AgentChanges, openAgent } from "@mdx-ai/runtime";
import { toolHostCommand } from "@mdx-ai/tools/tool-host-command";
import { agentDirectory } from "../../support/agent-directory.ts";
import { MINIMAL_AGENT, writeFiles } from "../../support/agent-files.ts";
import { agentText, toolWithCode } from "../../support/agent-text.ts";
import { textReply, toolReply } from "../../support/anthropic-replies.ts";
import { type AnthropicServer, anthropicServer } from "../../support/anthropic-server.ts";
import { requireProgram } from "../../support/require-program.ts";

/** A module that writes down its life and tells the model a word. */
const lively = (word: string): string => `
  import { appendFileSync } from "node:fs";
  import { word } from "../lib/word.ts";
  const note = (what) => appendFileSync(import.meta.dirname + "/../life.txt", what + " ${word}\\n");
  export default {
    describe: () => ({ name: "lively", description: "" }),
    initialize: async () => note("initialize"),
    tools: () => [],
    systemPrompt: () => "The word is ${word} " + word,
    start: async () => note("start"),
    stop: () => note("stop"),
  };`;

/** An agent that becomes what its directory says when it is told to. */
interface ReloadedAgent {
  readonly agent: Agent;
  become(directory: AgentDirectory): void;
}

interface Surroundings {
  readonly warnings?: string[];
  readonly environment?: NodeJS.ProcessEnv;
}

async function open(
  directory: string,
  server: AnthropicServer,
  { warnings = [], environment = process.env }: Surroundings = {},
): Promise<ReloadedAgent> {
  let next: AgentChanges | undefined;
  const agent = await openAgent({
    directory: await readAgentDirectory(directory),
    model: await openModel("claude-test", { environment: server.environment }),
    cwd: directory,
    toolHostCommand: toolHostCommand(),
    environment,
    refresh: async () => next,
    onWarning: (message) => void warnings.push(message),
  });
  return {
    agent,
    become: (changed) => {
      next = { directory: changed, model: agent.model };
    },
  };
}

const reload = async ({ become }: ReloadedAgent, directory: string): Promise<void> =>
  become(await readAgentDirectory(directory));

const tools = (name: string) => toolReply({ id: `call_${name}`, name: "probe", input: { city: "Vienna" } });

const resultOf = (events: readonly AgentEvent[]): unknown =>
  events.find((event) => event.type === "tool_execution_end")?.result.content;

const systemOf = ({ requests }: AnthropicServer, number: number): string => requests[number]?.text ?? "";

test("an edit of agent.mdx counts from the next prompt on: its prose, its tools and their code; the session continues", async () => {
  const code = (word: string): string =>
    agentText(`${word} prose\n\n${toolWithCode(`const execute = () => "${word} answer";`)}`);
  using directory = agentDirectory({ "agent.mdx": code("old") });
  using server = anthropicServer(tools("a"), textReply("one"), tools("b"), textReply("two"));
  const opened = await open(directory.path, server);
  const { agent } = opened;
  const before = await Array.fromAsync(agent.session().prompt("first"));
  writeFiles(directory.path, { "agent.mdx": code("new") });
  await reload(opened, directory.path);
  const after = await Array.fromAsync(agent.session().prompt("second"));
  expect([resultOf(before), resultOf(after)]).toMatchObject([[{ text: "old answer" }], [{ text: "new answer" }]]);
  expect(systemOf(server, 2)).toContain("new prose");
  expect(systemOf(server, 2)).not.toContain("old prose");
  const roles = (await agent.session().messages()).map(({ role }) => role);
  expect(roles.join(" ")).toBe("user assistant toolResult assistant user assistant toolResult assistant");
  await agent.close();
});

test("a tool's imports are read anew, too", async () => {
  const agentMdx = agentText(toolWithCode('import { word } from "./lib/word.ts";\nconst execute = () => word;'));
  using directory = agentDirectory({ "agent.mdx": agentMdx, "lib/word.ts": 'export const word = "one";' });
  using server = anthropicServer(tools("a"), textReply("one"), tools("b"), textReply("two"));
  const opened = await open(directory.path, server);
  const { agent } = opened;
  const before = await Array.fromAsync(agent.session().prompt("first"));
  writeFiles(directory.path, { "lib/word.ts": 'export const word = "two";' });
  await reload(opened, directory.path);
  const after = await Array.fromAsync(agent.session().prompt("second"));
  expect([resultOf(before), resultOf(after)]).toMatchObject([[{ text: "one" }], [{ text: "two" }]]);
  await agent.close();
});

test("prose with code is evaluated anew where it has changed, and once where it has not", async () => {
  const prose = (word: string): string => agentText(`export const word = "${word}";\n\nThe word is {word}.\n`);
  using directory = agentDirectory({ "agent.mdx": prose("one") });
  using server = anthropicServer(textReply("a"), textReply("b"), textReply("c"));
  const opened = await open(directory.path, server);
  const { agent } = opened;
  await Array.fromAsync(agent.session().prompt("first"));
  await reload(opened, directory.path);
  await Array.fromAsync(agent.session().prompt("second"));
  writeFiles(directory.path, { "agent.mdx": prose("two") });
  await reload(opened, directory.path);
  await Array.fromAsync(agent.session().prompt("third"));
  expect([0, 1, 2].map((number) => /The word is (\w+)\./.exec(systemOf(server, number))?.[1])).toStrictEqual([
    "one",
    "one",
    "two",
  ]);
  const journal = readFileSync(join(directory.path, "sessions/main/journal.jsonl"), "utf8");
  expect(journal.match(/"step":"identity/g)).toHaveLength(2);
  await agent.close();
});

test("a module whose code, or what it imports, has changed is stopped, loaded anew and started; others are left alone", async () => {
  const files = { "modules/lively.ts": lively("one"), "lib/word.ts": 'export const word = "A";' };
  using directory = agentDirectory({ "agent.mdx": agentText(""), ...files });
  using server = anthropicServer(...["a", "b", "c"].map((text) => textReply(text)));
  const opened = await open(directory.path, server);
  const { agent } = opened;
  const life = (): string => readFileSync(join(directory.path, "life.txt"), "utf8");
  await Array.fromAsync(agent.session().prompt("first"));
  writeFiles(directory.path, { "agent.mdx": agentText("More prose.") });
  await reload(opened, directory.path);
  await Array.fromAsync(agent.session().prompt("second"));
  expect(life()).toBe("initialize one\nstart one\n");
  writeFiles(directory.path, { "lib/word.ts": 'export const word = "B";', "modules/lively.ts": lively("two") });
  await reload(opened, directory.path);
  await Array.fromAsync(agent.session().prompt("third"));
  expect(life()).toBe("initialize one\nstart one\nstop one\ninitialize two\nstart two\n");
  const words = [0, 1, 2].map((number) => /The word is (\w+ \w)/.exec(systemOf(server, number))?.[1]);
  expect(words).toStrictEqual(["one A", "one A", "two B"]);
  await agent.close();
});

test("if a module can no longer be imported, all keep running, with a warning, until it is fixed", async () => {
  const files = { "modules/lively.ts": lively("one"), "lib/word.ts": 'export const word = "A";' };
  using directory = agentDirectory({ "agent.mdx": agentText(""), ...files });
  using server = anthropicServer(...["a", "b"].map((text) => textReply(text)));
  const warnings: string[] = [];
  const opened = await open(directory.path, server, { warnings });
  const { agent } = opened;
  writeFiles(directory.path, { "lib/word.ts": "export const word = ;" });
  await reload(opened, directory.path);
  await Array.fromAsync(agent.session().prompt("first"));
  expect(systemOf(server, 0)).toContain("The word is one A");
  expect(warnings.join()).toContain("modules/lively.ts: cannot be imported: line 1");
  writeFiles(directory.path, { "lib/word.ts": 'export const word = "C";' });
  await reload(opened, directory.path);
  await Array.fromAsync(agent.session().prompt("second"));
  expect(systemOf(server, 1)).toContain("The word is one C");
  await agent.close();
});

test("modules that were removed are stopped and add nothing more to the prompt", async () => {
  const files = { "modules/lively.ts": lively("one"), "lib/word.ts": 'export const word = "A";' };
  using directory = agentDirectory({ "agent.mdx": agentText(""), ...files });
  using server = anthropicServer(textReply("a"));
  const opened = await open(directory.path, server);
  const { agent } = opened;
  const read = await readAgentDirectory(directory.path);
  opened.become({ ...read, definition: { ...read.definition, modules: [] } });
  await Array.fromAsync(agent.session().prompt("first"));
  expect(readFileSync(join(directory.path, "life.txt"), "utf8")).toBe("initialize one\nstart one\nstop one\n");
  expect(systemOf(server, 0)).not.toContain("The word is");
  await agent.close();
});

test("that the shell is not contained is said once, however often the agent becomes another", async () => {
  const command = toolReply({ id: "a", name: "bash", input: { command: "true" } });
  using directory = agentDirectory({ "agent.mdx": agentText("first prose") });
  using server = anthropicServer(command, textReply("one"), command, textReply("two"));
  const warnings: string[] = [];
  const opened = await open(directory.path, server, { warnings, environment: { PATH: "/nowhere" } });
  await Array.fromAsync(opened.agent.session().prompt("first"));
  writeFiles(directory.path, { "agent.mdx": agentText("second prose") });
  await reload(opened, directory.path);
  await Array.fromAsync(opened.agent.session().prompt("second"));
  await opened.agent.close();
  expect(systemOf(server, 2)).toContain("second prose");
  expect(warnings).toStrictEqual([expect.stringContaining("are not contained")]);
});

test.skipIf(requireProgram("bwrap"))(
  "a denial that is written later holds for the commands of the next prompt",
  async () => {
    const denying = (rule: string): string => `---\npermissions:\n  ${rule}: deny\n---\n${MINIMAL_AGENT}`;
    const cat = (id: string) => toolReply({ id, name: "bash", input: { command: "cat notes.txt" } });
    using directory = agentDirectory({ "agent.mdx": denying("read_file(other.txt)"), "notes.txt": "some notes" });
    using server = anthropicServer(cat("a"), textReply("one"), cat("b"), textReply("two"));
    const opened = await open(directory.path, server);
    const before = await Array.fromAsync(opened.agent.session().prompt("first"));
    writeFiles(directory.path, { "agent.mdx": denying("read_file(notes.txt)") });
    await reload(opened, directory.path);
    const after = await Array.fromAsync(opened.agent.session().prompt("second"));
    await opened.agent.close();
    expect(JSON.stringify(resultOf(before))).toContain("some notes");
    expect(JSON.stringify(resultOf(after))).not.toContain("some notes");
  },
);
