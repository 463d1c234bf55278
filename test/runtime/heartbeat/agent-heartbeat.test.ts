import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type AgentEvent, answerText } from "@mdx-ai/loop";
import { openModel } from "@mdx-ai/models";
import { readAgentDirectory } from "@mdx-ai/parser";
import { type Agent, type AgentOptions, openAgent } from "@mdx-ai/runtime";
import { toolHostCommand } from "@mdx-ai/tools/tool-host-command";
import { agentDirectory } from "../../support/agent-directory.ts";
import { HandClock } from "../../support/hand-clock.ts";
import { MINUTE } from "../../support/heartbeat-bench.ts";
import { type Reply, scriptReference } from "../../support/replies.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const HEARTBEAT = `## Schedule

@every: 15m

## On Wake

- Check for new messages

## Routine Tasks

- Every morning at 09:00: Daily summary

## Context Reconstruction

- Read state/priorities.md
`;

interface OpenedAgent {
  readonly agent: Agent;
  readonly clock: HandClock;
  /** Resolves with the events of a background prompt when it has ended. */
  readonly nextWake: () => Promise<readonly AgentEvent[]>;
}

async function open(
  directory: string,
  replies: readonly Reply[],
  wakes: boolean,
  options: Pick<AgentOptions, "dataDirectory"> = {},
): Promise<OpenedAgent> {
  using scripts = temporaryDirectory();
  const clock = new HandClock("2026-11-21T08:30:00.000Z");
  let events: AgentEvent[] = [];
  let ended = Promise.withResolvers<readonly AgentEvent[]>();
  const agent = await openAgent({
    directory: await readAgentDirectory(directory),
    model: await openModel(scriptReference(scripts.path, replies), { environment: {} }),
    cwd: directory,
    toolHostCommand: toolHostCommand(),
    environment: {},
    clock,
    wakes,
    ...options,
    onBackgroundEvent: (event) => {
      events.push(event);
      if (event.type === "agent_end") ended.resolve(events);
    },
  });
  const nextWake = async (): Promise<readonly AgentEvent[]> => {
    const wake = await ended.promise;
    events = [];
    ended = Promise.withResolvers();
    return wake;
  };
  return { agent, clock, nextWake };
}

const userTexts = async (agent: Agent): Promise<string[]> =>
  (await agent.session().messages())
    .filter(({ role }) => role === "user")
    .map(({ content }) => content.map((block) => (block.type === "text" ? block.text : "")).join(""));

test("the heartbeat of heartbeat.md wakes the agent, which answers in its session between the user's prompts", async () => {
  using directory = agentDirectory({
    "agent.mdx": "---\ntimezone: UTC\n---\n# Agent: Test\n\n## Purpose\n\nBe tested.\n",
    "heartbeat.md": HEARTBEAT,
  });
  const { agent, clock, nextWake } = await open(
    directory.path,
    [{ text: "one" }, { text: "two" }, { text: "three" }],
    true,
  );
  await Array.fromAsync(agent.session().prompt("from the user"));
  clock.pass(15 * MINUTE);
  const wake = await nextWake();
  expect(wake[0]).toMatchObject({ type: "agent_start" });
  const end = wake.at(-1);
  expect(end?.type === "agent_end" && [end.outcome, answerText(end.messages)]).toEqual(["done", "two"]);
  await clock.untilTimer();
  clock.pass(15 * MINUTE);
  await nextWake();
  const texts = await userTexts(agent);
  expect(texts).toHaveLength(3);
  expect(texts[1]).toContain("- Check for new messages");
  expect(texts[1]).toContain("- Read state/priorities.md");
  expect(texts[1]).not.toContain("Daily summary");
  expect(texts[2]).toContain("- Daily summary");
  await clock.untilTimer();
  const records = readFileSync(join(directory.path, "state/heartbeat.jsonl"), "utf8").trimEnd().split("\n");
  expect(records.map((line) => JSON.parse(line).reason)).toEqual(["interval", "interval; routine: Daily summary"]);
  await agent.close();
  expect(clock.timers).toBe(0);
});

test("what the heartbeat did is kept in the data directory", async () => {
  using directory = agentDirectory({ "heartbeat.md": HEARTBEAT });
  using data = temporaryDirectory();
  const { agent, clock, nextWake } = await open(directory.path, [{ text: "one" }], true, { dataDirectory: data.path });
  clock.pass(15 * MINUTE);
  await nextWake();
  await clock.untilTimer();
  await agent.close();
  expect(readdirSync(data.path).toSorted()).toStrictEqual(["logs", "sessions", "state"]);
  expect(readdirSync(join(data.path, "state")).toSorted()).toContain("heartbeat.jsonl");
  expect(readdirSync(directory.path).toSorted()).toStrictEqual(["agent.mdx", "heartbeat.md"]);
});

test("with wakes off the heartbeat is loaded and in the prompt, and nothing wakes", async () => {
  using directory = agentDirectory({ "heartbeat.md": HEARTBEAT });
  const { agent, clock } = await open(directory.path, [], false);
  expect(await agent.systemPrompt()).toContain("## Heartbeat");
  clock.pass(48 * 60 * MINUTE);
  expect(await agent.session().messages()).toEqual([]);
  await agent.close();
  expect(existsSync(join(directory.path, "state/heartbeat.jsonl"))).toBe(false);
});

test("without heartbeat.md nothing is said of a heartbeat and nothing wakes", async () => {
  using directory = agentDirectory();
  const { agent, clock } = await open(directory.path, [], true);
  expect(await agent.systemPrompt()).not.toContain("eartbeat");
  expect(clock.timers).toBe(0);
  await agent.close();
});
