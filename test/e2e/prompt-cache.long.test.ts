import { expect, test } from "bun:test";
import { join } from "node:path";
import { readAgentDirectory } from "@mdx-ai/parser";
import { type Agent, openAgent } from "@mdx-ai/runtime";
import { toolHostCommand } from "@mdx-ai/tools/tool-host-command";
import { agentDirectory, toolText } from "../support/agent-directory.ts";
import { MINIMAL_AGENT } from "../support/agent-files.ts";
import { cacheUses } from "../support/prompt-cache.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { type WirePart, type WireReply, type WireServer, wireServer, wires } from "../support/wire-server.ts";

const FILES = {
  "agent.mdx": `${MINIMAL_AGENT}\nexport const born = Math.random()\n\nBorn {born}.\n${toolText("clock", "return String(performance.now());")}`,
  "skills/pack/SKILL.md": "---\nname: pack\ndescription: Packs\n---\n\nPack.\n",
  "notes.txt": `${"Ein Satz über 東京. ".repeat(50)}\n`,
};

async function open(directory: string, server: WireServer): Promise<Agent> {
  return openAgent({
    directory: await readAgentDirectory(directory),
    model: await server.open(),
    cwd: directory,
    toolHostCommand: toolHostCommand(),
    environment: process.env,
  });
}

/** A turn that thinks, says something now and then, and calls tools side by side, sometimes more than a look-back holds. */
function toolTurn(turn: number): WireReply {
  const calls = Array.from({ length: turn % 10 === 9 ? 25 : 1 + (turn % 3) }, (_, place): WirePart => {
    const name = turn % 4 === 3 ? "clock" : "read_file";
    const input = name === "clock" ? {} : { path: turn % 7 === 5 ? "nothing.txt" : "notes.txt" };
    return { id: `toolu_${turn}_${place}`, name, json: [JSON.stringify(input)] };
  });
  const thought: WirePart = { thinking: [`Turn ${turn} …`], signature: `sig-${turn}==` };
  return { parts: [thought, ...(turn % 5 === 0 ? [{ text: ["I look."] }] : []), ...calls] };
}

const toolTurns = (turns: number): WireReply[] => Array.from({ length: turns }, (_, turn) => toolTurn(turn));

const say = (text: string): WireReply => ({ parts: [{ text: [text] }] });

/** What a cache gave for each request. */
const usesOf = ({ requests }: WireServer) => cacheUses(requests.map(({ text }): unknown => JSON.parse(text)));

/** The points move with the conversation; what counts for a cache is the bytes between them. */
const withoutPoints = (text: string): string => text.replaceAll(',"cache_control":{"type":"ephemeral"}', "");

/** How many bytes of a request's messages, and of all before, are not as they were in the request before it. */
function changedBytes({ requests }: WireServer): number {
  const sent = requests.map(({ text }) => withoutPoints(text));
  return sent.reduce((sum, text, place) => {
    const before = sent[place - 1]?.slice(0, -"]}".length) ?? "";
    let same = 0;
    while (same < before.length && before[same] === text[same]) same++;
    return sum + before.length - same;
  }, 0);
}

test("turns 2 to 50 of a tool loop read everything before from the cache, with four cache points at most", async () => {
  using directory = agentDirectory(FILES);
  using server = wireServer("anthropic", ...toolTurns(49), say("Done."));
  const agent = await open(directory.path, server);
  await Array.fromAsync(agent.session().prompt("Look around."));
  await agent.close();
  expect(server.requests.map(({ refusal }) => refusal)).toStrictEqual(Array.from({ length: 50 }, () => undefined));

  const uses = usesOf(server);
  expect(Math.max(...uses.map(({ points }) => points))).toBe(4);
  for (const [turn, { cached }] of uses.entries()) expect(cached).toBe(uses[turn - 1]?.bytes ?? 0);
  const share = sum(uses.map(({ cached }) => cached)) / sum(uses.map(({ bytes }) => bytes));
  console.log(`50 turns read ${(100 * share).toFixed(1)} % of their bytes from the cache`);
  expect(share).toBeGreaterThanOrEqual(0.95);
  expect(changedBytes(server)).toBe(0);
});

test.each(wires)(
  "no byte that was sent to %s changes: not across turns, when a session is loaded again, or in another process",
  async (wire) => {
    using directory = agentDirectory(FILES);
    const rounds = [0, 1].flatMap((round) => [
      toolTurn(10 * round),
      toolTurn(10 * round + 9),
      say("Done."),
      say("Again."),
    ]);
    using server = wireServer(wire, ...rounds, ...[2, 3].flatMap((round) => [toolTurn(10 * round), say("Done.")]));
    for (let reload = 0; reload < 2; reload++) {
      const agent = await open(directory.path, server);
      await Array.fromAsync(agent.session("main").prompt("Look around."));
      await Array.fromAsync(agent.session("main").prompt("And now?"));
      await agent.close();
    }
    const { environment, reference } = server;
    for (let process = 0; process < 2; process++) {
      const { exitCode, stderr } = await runCommandLine(
        ["agent", directory.path, "--trust", "--session", "main", "--model", reference, "--prompt", "Once more."],
        { home: join(directory.path, "home"), cwd: directory.path, environment },
      );
      expect([exitCode, stderr]).toEqual([0, expect.any(String)]);
    }
    expect(server.requests.map(({ refusal }) => refusal)).toStrictEqual(Array.from({ length: 12 }, () => undefined));
    expect(changedBytes(server)).toBe(0);
    const uses = wire === "anthropic" ? usesOf(server) : [];
    for (const [turn, { cached }] of uses.entries()) expect(cached).toBe(uses[turn - 1]?.bytes ?? 0);
  },
);

const sum = (numbers: readonly number[]): number => numbers.reduce((all, number) => all + number, 0);
