import { expect, test } from "bun:test";
import { engineBench } from "../support/engine-bench.ts";
import { restateProgram } from "../support/restate-server.ts";
import { told } from "../support/told-model.ts";

const isInstalled = restateProgram() !== undefined;
if (!isInstalled) console.warn("skipped: @restatedev/restate-server is not installed");

const SKILL = "---\nname: plans\ndescription: Makes plans\n---\nPlan.\n";

test.skipIf(!isInstalled)(
  "any worker shows what a session has cost, its skills, trace and export, and makes branches of it",
  async () => {
    await using bench = await engineBench({ "agent/skills/plans/SKILL.md": SKILL });
    const one = await bench.start("--allow-all");
    const other = await bench.start("--allow-all");
    await one.send("POST", "sessions", { id: "one" });
    const call = { id: "c1", name: "bash", input: { command: "echo made" } };
    const text = told("p", { calls: [call] }, { text: "It is made." });
    await one.send("POST", "sessions/one/prompts", { text });
    await one.eventsUntil("one", "agent_end");
    const forks: string[] = [];
    for (const worker of [one, other]) {
      const { session, context } = await worker.json("GET", "sessions/one/info");
      expect([session.calls, session.usage.total]).toEqual([2, 30]);
      expect(context.tokens).toBeGreaterThan(0);
      const { skills } = await worker.json("GET", "sessions/one/skills");
      expect(skills).toMatchObject([{ name: "plans", isEnabled: true }]);
      expect((await worker.json("GET", "sessions/one/trace")).prompts).toHaveLength(1);
      expect((await worker.json("GET", "sessions/one/export")).messages).toHaveLength(4);
      const forked = await worker.send("POST", "sessions/one/fork", {});
      expect(forked.status).toBe(201);
      forks.push((await forked.text()).match(/"id":"([^"]*)"/)?.[1] ?? "");
    }
    expect(new Set(forks).size).toBe(2);
    for (const fork of forks) {
      const { messages } = await one.json("GET", `sessions/${fork}/messages`);
      expect(messages).toHaveLength(4);
    }
    const unknown = await one.send("GET", "sessions/other/info");
    expect(unknown.status).toBe(404);
  },
  120_000,
);
