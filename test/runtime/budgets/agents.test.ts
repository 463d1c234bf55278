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
  test.each([
    ["a prompt", "limits: {tokens: 300, on: ask}"],
    ["a session", "limits: {session: {tokens: 300}, on: ask}"],
    ["a day", "limits: {day: {tokens: 300, on: ask}}"],
    ["the agent", "limits: {agent: {tokens: 300, on: ask}}"],
  ])("waits for the answer, and continues after a yes: %s", async (_title, settings) => {
    using folder = files(settings);
    const user = answering("once");
    const model = teamModel({
      lead: [{ helper: "Help" }, "done"],
      helper: [{ list_files: {} }, { list_files: {} }, "helped"],
    });
    const opened = await folder.open(model, { onBudget: user.onBudget });
    try {
      const events = await run(opened, "Go");
      expect(toolTexts(await opened.agent.session().messages())).toStrictEqual(["helped"]);
      expect(endOf(events)).toMatchObject({ outcome: "done", cost: { usage: { total: 550 } } });
      expect(user.asked).toStrictEqual([[expect.stringMatching(/tokens$/), 330, 300]]);
      // The question is one of the session that called, and names the agent.
      const questions = events.flatMap((event) => (event.type === "question_asked" ? [event.question] : []));
      expect(questions).toMatchObject([{ session: "main", agent: "helper", kind: "budget", adds: 300 }]);
    } finally {
      await opened.close();
    }
  });

  test("is stopped after a no, and nothing is asked again", async () => {
    using folder = files("limits: {tokens: 300, on: ask}");
    const user = answering("no", "once");
    const opened = await folder.open(
      teamModel({ lead: [{ helper: "Help" }, "done"], helper: () => ({ list_files: {} }) }),
      { onBudget: user.onBudget },
    );
    try {
      expect(endOf(await run(opened, "Go"))).toMatchObject({ outcome: "limit" });
      expect(user.asked).toHaveLength(1);
      expect(toolTexts(await opened.agent.session().messages())[0]).toContain(
        "a limit of the calling prompt is reached",
      );
    } finally {
      await opened.close();
    }
  });
});

describe("what an agent in the background costs", () => {
  test("counts for the prompt, its session and the usage log", async () => {
    using folder = files("limits: {tokens: 100000}", " background");
    const opened = await folder.open(teamModel({ lead: [{ helper: "Help" }, "waiting", "done"], helper: ["helped"] }));
    try {
      const events = await run(opened, "Go");
      // Three requests of the lead at most, and one of the helper.
      const requests = events.filter((event) => event.type === "turn_end").length;
      expect(endOf(events)).toMatchObject({ cost: { usage: { total: 110 * (requests + 1) } } });
      const { session, day } = await opened.agent.session().info();
      expect([session.usage.total, day.usage.total]).toStrictEqual([110 * (requests + 1), 110 * (requests + 1)]);
    } finally {
      await opened.close();
    }
    const again = await folder.open(teamModel({ lead: ["more"] }));
    try {
      const { session } = await again.agent.session().info();
      expect(session.usage.total % 110).toBe(0);
      expect(session.usage.total).toBeGreaterThanOrEqual(330);
    } finally {
      await again.close();
    }
    const lines = readFileSync(join(folder.path, "state/usage.jsonl"), "utf8").trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line).agent).filter(Boolean)).toStrictEqual(["helper"]);
  });
});
