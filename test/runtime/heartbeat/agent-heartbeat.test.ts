import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { answerText } from "@mdx-ai/loop";
import { openStoredSession } from "@mdx-ai/sessions";
import { agentDirectory } from "../../support/agent-directory.ts";
import { eventually } from "../../support/eventually.ts";
import { MINUTE } from "../../support/heartbeat-bench.ts";
import { AGENT, HEARTBEAT } from "../../support/heartbeat-texts.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { openWaking, userTexts } from "../../support/waking-agent.ts";

test("the heartbeat of heartbeat.md wakes the agent, which answers in its session between the user's prompts", async () => {
  using directory = agentDirectory({ "agent.mdx": AGENT, "heartbeat.md": HEARTBEAT });
  const replies = [{ text: "one" }, { text: "two", usage: { input: 10, output: 5 } }, { text: "three" }];
  const { agent, clock, events, lines, ended } = await openWaking(directory.path, replies);
  await Array.fromAsync(agent.session().prompt("from the user"));
  clock.pass(15 * MINUTE);
  await ended(1);
  const end = events.findLast(({ type }) => type === "agent_end");
  expect(end?.type === "agent_end" && [end.outcome, answerText(end.messages)]).toEqual(["done", "two"]);
  clock.pass(15 * MINUTE);
  await ended(3);
  const texts = await userTexts(agent);
  expect(texts).toHaveLength(3);
  expect(texts[1]).toContain("- Check for new messages");
  expect(texts[1]).toContain("- Read state/priorities.md");
  expect(texts[1]).not.toContain("Daily summary");
  expect(texts[2]).toContain("- Daily summary");
  expect(lines("ended")).toMatchObject([
    { task: "On Wake", outcome: "done", tokens: 15, usd: 0 },
    { task: "On Wake", outcome: "done" },
    { task: "Daily summary", outcome: "done", tokens: 0 },
  ]);
  await agent.close();
  expect(clock.timers).toBe(0);
  expect(existsSync(join(directory.path, "state/heartbeat.lock"))).toBe(false);
});

test("what the heartbeat did is kept in the data directory", async () => {
  using directory = agentDirectory({ "heartbeat.md": HEARTBEAT });
  using data = temporaryDirectory();
  const { agent, clock, ended } = await openWaking(directory.path, [{ text: "one" }], { dataDirectory: data.path });
  clock.pass(15 * MINUTE);
  await ended(1);
  await agent.close();
  expect(readdirSync(data.path).toSorted()).toStrictEqual(["logs", "sessions", "state"]);
  expect(readdirSync(join(data.path, "state")).toSorted()).toContain("heartbeat.jsonl");
  expect(readdirSync(directory.path).toSorted()).toStrictEqual(["agent.mdx", "heartbeat.md"]);
});

test("a wake waits while another program uses its session, and has not failed", async () => {
  using directory = agentDirectory({ "heartbeat.md": HEARTBEAT });
  const { agent, clock, lines, ended } = await openWaking(directory.path, [{ text: "one" }]);
  const sessions = join(directory.path, "sessions");
  const other = openStoredSession({ directory: sessions, id: "main", clock, onWarning: () => {} });
  clock.pass(15 * MINUTE);
  const log = (): string =>
    readdirSync(join(directory.path, "logs"))
      .map((name) => readFileSync(join(directory.path, "logs", name), "utf8"))
      .join("");
  await eventually(() => log().includes("session main is in use by"));
  expect(lines("ended")).toEqual([]);
  other.close();
  await ended(1);
  expect(lines("ended")).toMatchObject([{ task: "On Wake", outcome: "done" }]);
  await agent.close();
});

test("with wakes off the heartbeat is loaded and in the prompt, and nothing wakes", async () => {
  using directory = agentDirectory({ "heartbeat.md": HEARTBEAT });
  const { agent, clock } = await openWaking(directory.path, [], { wakes: false });
  expect(await agent.systemPrompt()).toContain("## Heartbeat");
  clock.pass(48 * 60 * MINUTE);
  expect(await agent.session().messages()).toEqual([]);
  await agent.close();
  expect(existsSync(join(directory.path, "state/heartbeat.jsonl"))).toBe(false);
});

test("without heartbeat.md nothing is said of a heartbeat and nothing wakes", async () => {
  using directory = agentDirectory();
  const { agent, clock } = await openWaking(directory.path, []);
  expect(await agent.systemPrompt()).not.toContain("eartbeat");
  expect(clock.timers).toBe(0);
  await agent.close();
});

test("a reply of HEARTBEAT_OK is logged and not shown", async () => {
  using directory = agentDirectory({ "heartbeat.md": HEARTBEAT });
  const { agent, clock, events, lines, ended } = await openWaking(directory.path, [{ text: "HEARTBEAT_OK" }]);
  clock.pass(15 * MINUTE);
  await ended(1);
  expect(lines("ended")).toMatchObject([{ outcome: "quiet" }]);
  expect(events).toEqual([]);
  await agent.close();
  const [log = ""] = readdirSync(join(directory.path, "logs")).filter((name) => name.endsWith(".log"));
  expect(readFileSync(join(directory.path, "logs", log), "utf8")).toContain("On Wake: quiet");
});

test("the user goes first: of prompts that wait, those of the user run before the heartbeat's", async () => {
  using directory = agentDirectory({ "agent.mdx": AGENT, "heartbeat.md": HEARTBEAT });
  const release = Promise.withResolvers<void>();
  let hasBegun = false;
  const { agent, clock, ended } = await openWaking(
    directory.path,
    ["1", "2", "3"].map((text) => ({ text })),
    {
      programModules: {
        modulesOf: () => [
          {
            describe: () => ({ name: "slow", description: "" }),
            beforePrompt: async ({ input }) => {
              hasBegun = true;
              if (input === "first") await release.promise;
            },
          },
        ],
      },
    },
  );
  // A hook may take 10 s.
  clock.pass(15 * MINUTE - 5000);
  const first = Array.fromAsync(agent.session().prompt("first"));
  await eventually(() => hasBegun);
  clock.pass(5000);
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  const second = Array.fromAsync(agent.session().prompt("second"));
  await eventually(() => agent.session().activePrompts.some(({ text }) => text === "second"));
  release.resolve();
  await Promise.all([first, second]);
  await ended(1);
  const texts = await userTexts(agent);
  expect(texts.slice(0, 2)).toEqual(["first", "second"]);
  expect(texts[2]).toStartWith("[heartbeat]");
  await agent.close();
});
