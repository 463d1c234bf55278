import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { AgentEvent } from "@mdx-ai/loop";
import { writeText } from "../support/agent-files.ts";
import { endOf, look, reached, run, say } from "../support/limit-bench.ts";
import type { Reply } from "../support/replies.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../support/temporary-directory.ts";

/** A home whose price table makes a token of the script model cost a dollar. */
function dearModels(): TemporaryDirectory {
  const home = temporaryDirectory();
  const table = { models: { "script/*": { input: 1e6, output: 1e6, cacheRead: 0, cacheWrite: 0 } } };
  writeText(join(home.path, ".config/mdx-ai/prices.json"), JSON.stringify(table));
  return home;
}

describe("a limit ends the prompt after the turn that reaches it, with an event:", () => {
  test("tokens of all kinds count", async () => {
    const [events] = await run("limits: { tokens: 200 }", [look("a"), look("b"), look("c"), say("never")]);
    expect(reached(events)).toMatchObject([{ type: "limit_reached", limit: "tokens", value: 200 }]);
    expect(endOf(events)).toMatchObject({
      outcome: "limit",
      cost: { calls: 2, usage: { input: 120, output: 60 } },
    });
  });

  test("a prompt that ends normally is done, regardless of its usage", async () => {
    const [events] = await run("limits: { tokens: 50 }", [say("done")]);
    expect(endOf(events)).toMatchObject({ outcome: "done" });
  });

  test("dollars, where the price is known", async () => {
    using home = dearModels();
    const options = { environment: { PATH: process.env["PATH"], HOME: home.path } };
    const replies = [look("a"), look("b"), say("never")];
    const [events] = await run("limits: { usd: 100 }", replies, { options });
    expect(reached(events)).toMatchObject([{ type: "limit_reached", limit: "usd", value: 100 }]);
    expect(endOf(events)).toMatchObject({ cost: { usd: 180, calls: 2 } });
    const all = await run("limits: { session: { usd: 90 }, day: { usd: 170 } }", [say("one")], {
      prompts: ["a", "a", "b", "c"],
      options,
    });
    expect(all.map((events) => reached(events)?.map((event) => "limit" in event && event.limit))).toEqual([
      [],
      ["session.usd"],
      [],
      ["day.usd"],
    ]);
  });

  test("a limit in dollars is refused if the price is unknown", async () => {
    const unknown = { provider: "somebody", name: "else", stream: async function* () {} };
    for (const yaml of ["limits: { usd: 1 }", "limits: { session: { usd: 1 } }", "limits: { day: { usd: 1 } }"]) {
      const prompt = run(yaml, [], { options: { model: unknown } });
      expect(prompt).rejects.toThrow(/price of somebody\/else is unknown/);
      await prompt.catch(() => {});
    }
  });

  test("a session's tokens survive a restart, and other sessions have their own", async () => {
    const [first, second, other] = await run("limits: { session: { tokens: 100 } }", [say("one")], {
      prompts: ["a", "a", "b"],
    });
    expect(endOf(first)).toMatchObject({ outcome: "done" });
    expect(reached(second)).toMatchObject([{ type: "limit_reached", limit: "session.tokens", value: 100 }]);
    expect(endOf(second)).toMatchObject({ outcome: "limit", cost: { calls: 0 } });
    expect(second?.map(({ type }) => type)).toEqual([
      "agent_start",
      "message_start",
      "message_end",
      "limit_reached",
      "agent_end",
    ]);
    expect(endOf(other)).toMatchObject({ outcome: "done" });
  });

  test("a day's tokens survive a restart and count over all sessions", async () => {
    const [first, second] = await run("limits: { day: { tokens: 100 } }", [say("one")], { prompts: ["a", "b"] });
    expect(endOf(first)).toMatchObject({ outcome: "done" });
    expect(reached(second)).toMatchObject([{ type: "limit_reached", limit: "day.tokens", value: 100 }]);
  });

  test("a day's limit applies to ephemeral runs, too", async () => {
    const runs = await run("limits: { day: { tokens: 150 } }", [say("one")], {
      prompts: ["a", "b", "c"],
      options: { ephemeral: true },
    });
    expect(runs.map((events) => endOf(events))).toMatchObject([
      { outcome: "done" },
      { outcome: "done" },
      { outcome: "limit" },
    ]);
  });

  test("pauses of the model in a row are continued, and capped", async () => {
    const pause: Reply = { text: "…", stopReason: "pause" };
    const [few] = await run("model: offline", [pause, pause, say("done")]);
    expect(endOf(few)).toMatchObject({ outcome: "done" });
    const [many] = await run(
      "model: offline",
      Array.from({ length: 20 }, () => pause),
    );
    expect(reached(many)).toMatchObject([{ type: "limit_reached", limit: "pauses", value: 10 }]);
  });

  test("turns, from the frontmatter and from the options of the agent", async () => {
    const replies = [look("a"), look("b"), look("c"), say("done")];
    const [events] = await run("limits: { turns: 2 }", replies);
    expect(reached(events)).toMatchObject([{ type: "limit_reached", limit: "turns", value: 2 }]);
    const [wider] = await run("limits: { turns: 2 }", replies, { options: { maxTurns: 10 } });
    expect(endOf(wider)).toMatchObject({ outcome: "done" });
  });
});

test("tool calls over their limit are answered with an error, and the prompt continues", async () => {
  const both: Reply = { calls: ["b", "c"].map((id) => ({ id, name: "read_file", arguments: { path: "agent.mdx" } })) };
  const [events] = await run("limits: { toolCalls: 2 }", [look("a"), both, look("d"), say("done")]);
  const ends = events?.flatMap((event) => (event.type === "tool_execution_end" ? [event] : []));
  const refused = ends?.flatMap(({ toolCallId, isError }) => (isError ? [toolCallId] : []));
  expect(refused).toEqual(["c", "d"]);
  expect(JSON.stringify(ends?.find(({ toolCallId }) => toolCallId === "d")?.result)).toContain("2 tool calls");
  expect(endOf(events)).toMatchObject({ outcome: "done" });
});

describe("identical calls with identical results in a row", () => {
  const NOTE = "three times in a row";
  const notes = (events: readonly AgentEvent[] | undefined): readonly boolean[] | undefined =>
    events?.flatMap((event) =>
      event.type === "message_end" && event.message.role === "toolResult"
        ? [JSON.stringify(event.message.content).includes(NOTE)]
        : [],
    );

  test("are noted for the model at the third, once", async () => {
    const [events] = await run("model: offline", [look("a"), look("b"), look("c"), look("d"), say("done")]);
    expect(notes(events)).toEqual([false, false, true, false]);
    expect(endOf(events)).toMatchObject({ outcome: "done" });
  });

  test("also count within one message", async () => {
    const three: Reply = {
      calls: ["a", "b", "c"].map((id) => ({ id, name: "read_file", arguments: { path: "agent.mdx" } })),
    };
    const [events] = await run("model: offline", [three, say("done")]);
    expect(notes(events)?.filter(Boolean)).toHaveLength(1);
  });

  test("end the prompt where the settings say so", async () => {
    const [events] = await run("limits: { repeats: 4 }", [look("a"), look("b"), look("c"), look("d"), say("never")]);
    expect(reached(events)).toMatchObject([{ type: "limit_reached", limit: "repeats", value: 4 }]);
    expect(endOf(events)).toMatchObject({ outcome: "limit" });
  });
});
