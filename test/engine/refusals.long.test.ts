import { expect, test } from "bun:test";
import { engineBench } from "../support/engine-bench.ts";
import { restateProgram } from "../support/restate-server.ts";
import type { Json } from "../support/served-agent.ts";
import { told } from "../support/told-model.ts";

const isInstalled = restateProgram() !== undefined;
if (!isInstalled) console.warn("skipped: @restatedev/restate-server is not installed");

const SKILL = "---\nname: plans\ndescription: Makes plans\n---\nPlan.\n";

test.skipIf(!isInstalled)(
  "what a session of an engine does not offer, or not now, is a conflict; an unreachable server is unavailable",
  async () => {
    await using bench = await engineBench({ "agent/skills/plans/SKILL.md": SKILL });
    const worker = await bench.start("--mode", "ask");
    const problem = async (method: string, path: string, body?: unknown): Promise<readonly unknown[]> => {
      const answer = await worker.send(method, path, body);
      const { code, detail }: Json = await answer.json();
      return [answer.status, code, detail];
    };
    await worker.send("POST", "sessions", { id: "one" });
    expect(await problem("PATCH", "sessions/one", { id: "two" })).toEqual([
      ...[409, "unsupported"],
      "a session of an engine keeps its id; give it a title",
    ]);
    const ofAgent = "skills of a session of an engine are those of its agent";
    for (const enabled of [true, false])
      expect(await problem("PATCH", "sessions/one/skills/plans", { enabled })).toEqual([409, "unsupported", ofAgent]);
    for (const [change, detail] of [
      ["clear", "a session of an engine cannot be cleared; begin a new one"],
      ["compact", "a session of an engine is compacted when it nears the model's window"],
    ] as const)
      expect(await problem("POST", `sessions/one/${change}`, {})).toEqual([409, "unsupported", detail]);
    const call = { id: "c1", name: "bash", input: { command: "echo one >> effects" } };
    const prompt = { text: told("p", { calls: [call] }, { text: "done" }) };
    expect((await worker.send("POST", "sessions/one/prompts", prompt)).status).toBe(202);
    await worker.eventsUntil("one", "question_asked");
    for (const [method, path, body] of [
      ["DELETE", "sessions/one", undefined],
      ["POST", "sessions/one/rewind", { prompt: 1 }],
    ] as const)
      expect((await problem(method, path, body)).slice(0, 2)).toEqual([409, "session_running"]);
    await worker.send("POST", "sessions/one/questions/1.1.1", { answer: "yes" });
    await worker.eventsUntil("one", "agent_end");
    const unknown = await problem("POST", "sessions/one/rewind", { prompt: 7 });
    expect(unknown.slice(0, 2)).toEqual([404, "unknown_prompt"]);

    await bench.server.kill();
    for (const [method, path, body] of [
      ["GET", "sessions", undefined],
      ["GET", "sessions/one", undefined],
      ["POST", "sessions/one/prompts", prompt],
      ["POST", "sessions/one/questions/1.1.1", { answer: "yes" }],
    ] as const) {
      expect(await problem(method, path, body)).toEqual([
        ...[503, "store_unavailable"],
        expect.stringContaining("cannot be reached"),
      ]);
    }
    await bench.server.start();
    expect((await worker.send("POST", "sessions/one/rewind", { prompt: 1 })).status).toBe(200);
    expect((await worker.json("GET", "sessions/one/messages")).messages).toEqual([]);
    expect((await worker.send("DELETE", "sessions/one")).status).toBe(204);
    expect((await worker.send("POST", "sessions", { id: "one" })).status).toBe(201);
    expect((await worker.json("GET", "sessions/one")).prompts).toBe(0);
  },
  120_000,
);
