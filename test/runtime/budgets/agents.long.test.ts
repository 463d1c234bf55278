import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentEvent, BudgetSubject } from "@mdx-ai/loop";
import { agentText, run, team, teamModel, toolTexts } from "../../support/team.ts";

const files = (settings: string, more = "") =>
  team({
    "lead/agent.mdx": agentText("lead", `<Agent name="helper" src="../helper" description="Helps"${more} />`, settings),
    "helper/agent.mdx": agentText("helper"),
  });

function answering(...answers: readonly ("once" | "no")[]) {
  const asked: unknown[] = [];
  const left = [...answers];
  const onBudget = async ({ limit, spent, value }: BudgetSubject) => {
    asked.push([limit, spent, value]);
    return { answer: left.shift() ?? ("no" as const) };
  };
  return { asked, onBudget };
}

const endOf = (events: readonly AgentEvent[]) => events.findLast((event) => event.type === "agent_end");

// Each request costs 110 tokens.
describe("an agent whose caller reaches a limit that asks", () => {
  test("asks once for all that run", async () => {
    using folder = files("limits: {tokens: 500, on: ask}");
    const user = answering("once", "no");
    const opened = await folder.open(
      teamModel({
        lead: [{ helper: ["a", "b", "c"] }, "done"],
        helper: [{ list_files: {} }, "helped"],
      }),
      { onBudget: user.onBudget },
    );
    try {
      const events = await run(opened, "Go");
      expect(endOf(events)).toMatchObject({ outcome: "done" });
      expect(toolTexts(await opened.agent.session().messages())).toStrictEqual(["helped", "helped", "helped"]);
      expect(user.asked).toHaveLength(1);
    } finally {
      await opened.close();
    }
  });
});

describe("what an agent in the background costs", () => {
  test("ends a prompt that has a limit before its next request", async () => {
    using folder = files("limits: {tokens: 300}", " background");
    const model = teamModel({ lead: [{ helper: "Help" }, "waiting", "never"], helper: () => ({ list_files: {} }) });
    const opened = await folder.open(model);
    try {
      const events = await run(opened, "Go");
      expect(JSON.stringify(events)).not.toContain("never");
      const last = model.requests.length;
      expect(last).toBeLessThanOrEqual(4);
    } finally {
      await opened.close();
    }
  });
});

test("an agent at work when the process is killed has spent what it has spent: the next process counts it once", async () => {
  using folder = files("limits: {tokens: 500}");
  const reached = Promise.withResolvers<void>();
  const before = await folder.open(
    teamModel({
      lead: [{ helper: "Help" }, "done"],
      helper: (request, signal) => {
        if (request.messages.length < 5) return { list_files: {} };
        reached.resolve();
        const { promise, resolve } = Promise.withResolvers<string>();
        signal.addEventListener("abort", () => resolve("stopped"), { once: true });
        return promise;
      },
    }),
  );
  const running = run(before, "Go").catch(() => {});
  await reached.promise;
  await before.close();
  await running;
  // One request of the lead and two of the helper are counted; a third one may be, although it was broken off.
  const counted = (): number =>
    readFileSync(join(folder.path, "state/usage.jsonl"), "utf8").trimEnd().split("\n").length;
  const left = counted();
  expect(left).toBeWithin(3, 5);
  const model = teamModel({ lead: ["never", "done"], helper: () => ({ list_files: {} }) });
  const after = await folder.open(model);
  try {
    const events = await Array.fromAsync(after.agent.session().resume());
    expect(endOf(events)).toMatchObject({ outcome: "limit" });
    // 550 tokens are more than 500.
    expect([counted(), model.requests.length]).toStrictEqual([5, 5 - left]);
  } finally {
    await after.close();
  }
});
