import { expect, test } from "bun:test";
import { join } from "node:path";
import { openModel } from "@mdx-ai/models";
import { readAgentDirectory } from "@mdx-ai/parser";
import { type Agent, openAgent } from "@mdx-ai/runtime";
import { agentDirectory, toolText } from "../support/agent-directory.ts";
import { MINIMAL_AGENT } from "../support/agent-files.ts";
import { type AnthropicReply, answerEvents, type ReplyBlock, textReply } from "../support/anthropic-replies.ts";
import { type AnthropicServer, anthropicServer } from "../support/anthropic-server.ts";
import { cacheUses } from "../support/prompt-cache.ts";
import { runCli } from "../support/run-cli.ts";
import { toolHostCommand } from "../support/tool-host-command.ts";

const FILES = {
  "agent.mdx": `${MINIMAL_AGENT}\nBorn {Math.random()}.\n${toolText("clock", "return String(performance.now());")}`,
  "skills/pack/SKILL.md": "---\nname: pack\ndescription: Packs\n---\n\nPack.\n",
  "notes.txt": `${"Ein Satz über 東京. ".repeat(50)}\n`,
};

async function open(directory: string, server: AnthropicServer): Promise<Agent> {
  return openAgent({
    directory: await readAgentDirectory(directory),
    model: await openModel("claude-test", { environment: server.environment }),
    cwd: directory,
    toolHostCommand,
    environment: process.env,
  });
}

/** A turn that thinks, says something now and then, and calls tools side by side, sometimes more than a look-back holds. */
function toolTurn(turn: number): AnthropicReply {
  const calls = Array.from({ length: turn % 10 === 9 ? 25 : 1 + (turn % 3) }, (_, place): ReplyBlock => {
    const name = turn % 4 === 3 ? "clock" : "read_file";
    const input = name === "clock" ? {} : { path: turn % 7 === 5 ? "nothing.txt" : "notes.txt" };
    return { id: `toolu_${turn}_${place}`, name, json: [JSON.stringify(input)] };
  });
  const thought: ReplyBlock = { thinking: [`Turn ${turn} …`], signature: `sig-${turn}==` };
  return { events: answerEvents([thought, ...(turn % 5 === 0 ? [{ text: ["I look."] }] : []), ...calls]) };
}

const toolTurns = (turns: number): AnthropicReply[] => Array.from({ length: turns }, (_, turn) => toolTurn(turn));

/** The points move with the conversation; what counts for a cache is the bytes between them. */
const withoutPoints = (text: string): string => text.replaceAll(',"cache_control":{"type":"ephemeral"}', "");

/** How many bytes of a request's messages, and of all before, are not as they were in the request before it. */
function changedBytes(server: AnthropicServer): number {
  const sent = server.requests.map(({ text }) => withoutPoints(text));
  return sent.reduce((sum, text, place) => {
    const before = sent[place - 1]?.slice(0, -"]}".length) ?? "";
    let same = 0;
    while (same < before.length && before[same] === text[same]) same++;
    return sum + before.length - same;
  }, 0);
}

test("turns 2 to 50 of a tool loop read everything before from the cache, with four cache points at most", async () => {
  using directory = agentDirectory(FILES);
  using server = anthropicServer(...toolTurns(49), textReply("Done."));
  const agent = await open(directory.path, server);
  await Array.fromAsync(agent.prompt("Look around."));
  await agent.close();
  expect(server.requests.map(({ refusal }) => refusal)).toEqual(Array.from({ length: 50 }, () => undefined));

  const uses = cacheUses(server.requests.map(({ body }) => body));
  expect(Math.max(...uses.map(({ points }) => points))).toBe(4);
  for (const [turn, { cached }] of uses.entries()) expect(cached).toBe(uses[turn - 1]?.bytes ?? 0);
  const later = uses.slice(1);
  const share = sum(later.map(({ cached }) => cached)) / sum(later.map(({ bytes }) => bytes));
  console.log(`turns 2 to 50 read ${(100 * share).toFixed(1)} % of their bytes from the cache`);
  expect(share).toBeGreaterThanOrEqual(0.95);
  expect(changedBytes(server)).toBe(0);
}, 60_000);

test("no byte that was sent changes: not across turns, when a session is loaded again, or in another process", async () => {
  using directory = agentDirectory(FILES);
  using server = anthropicServer();
  for (let reload = 0; reload < 2; reload++) {
    server.add(toolTurn(10 * reload), toolTurn(10 * reload + 9), textReply("Done."), textReply("Again."));
    const agent = await open(directory.path, server);
    await Array.fromAsync(agent.prompt("Look around.", { session: "main" }));
    await Array.fromAsync(agent.prompt("And now?", { session: "main" }));
    await agent.close();
  }
  for (let process = 0; process < 2; process++) {
    server.add(toolTurn(20 + 10 * process), textReply("Done."));
    const { exitCode, stderr } = await runCli(
      ["agent", directory.path, "--trust", "--session", "main", "--model", "claude-test", "--prompt", "Once more."],
      { home: join(directory.path, "home"), cwd: directory.path, environment: server.environment },
    );
    expect([exitCode, stderr]).toEqual([0, expect.any(String)]);
  }
  expect(server.requests.map(({ refusal }) => refusal)).toEqual(Array.from({ length: 12 }, () => undefined));
  expect(changedBytes(server)).toBe(0);
  const uses = cacheUses(server.requests.map(({ body }) => body));
  for (const [turn, { cached }] of uses.entries()) expect(cached).toBe(uses[turn - 1]?.bytes ?? 0);
}, 60_000);

const sum = (numbers: readonly number[]): number => numbers.reduce((all, number) => all + number, 0);
