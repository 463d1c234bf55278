import { expect, test } from "bun:test";
import { MINIMAL_AGENT } from "../support/agent-files.ts";
import { engineBench } from "../support/engine-bench.ts";
import { restateProgram } from "../support/restate-server.ts";
import { type ToldReply, told } from "../support/told-model.ts";

const isInstalled = restateProgram() !== undefined;
if (!isInstalled) console.warn("skipped: @restatedev/restate-server is not installed");

const bash = (command: string): ToldReply => ({ calls: [{ id: "c1", name: "bash", input: { command } }] });

/** Seconds that a prompt may take: its questions come earlier, on a busy machine too. */
const LIMIT = 8;

test.skipIf(!isInstalled)(
  "the time of an answer moves the deadline of a prompt, which then ends its tool",
  async () => {
    await using bench = await engineBench({
      "agent/agent.mdx": `---\nlimits: { seconds: ${LIMIT} }\n---\n\n${MINIMAL_AGENT}`,
    });
    const worker = await bench.start("--mode", "ask");
    await worker.send("POST", "sessions/main/prompts", {
      text: told("p", bash("echo one >> effects"), { text: "done" }),
    });
    await worker.eventsUntil("main", "question_asked");
    // The prompt leaves its worker meanwhile.
    await Bun.sleep(LIMIT * 1_000 + 500);
    await worker.send("POST", "sessions/main/questions/1.1.1", { answer: "yes" });
    const events = await worker.eventsUntil("main", "agent_end");
    expect(events.at(-1)).toMatchObject({ outcome: "done" });
    expect(bench.linesOf("agent/effects")).toEqual(["one"]);

    await worker.send("POST", "sessions/main/prompts", { text: told("q", bash("sleep 120"), { text: "never" }) });
    await worker.eventsUntil("main", "question_asked", events.at(-1)?.id);
    await Bun.sleep(LIMIT * 1_000 + 500);
    const began = performance.now();
    await worker.send("POST", "sessions/main/questions/2.1.1", { answer: "yes" });
    const rest = await worker.eventsUntil("main", "agent_end", events.at(-1)?.id);
    expect(rest.at(-1)).toMatchObject({ outcome: "limit" });
    expect(rest).toContainEqual(expect.objectContaining({ type: "limit_reached", limit: "seconds", value: LIMIT }));
    expect(performance.now() - began).toBeLessThan(60_000);
  },
  120_000,
);

test.skipIf(!isInstalled)(
  "a question that nobody answers is declined at its deadline, and a later answer is late",
  async () => {
    await using bench = await engineBench();
    const worker = await bench.start("--mode", "ask", "--wait-for-answers=7");
    await worker.send("POST", "sessions/main/prompts", {
      text: told("p", bash("echo one >> effects"), { text: "done" }),
    });
    const events = await worker.eventsUntil("main", "agent_end");
    expect(events.find(({ type }) => type === "question_answered")).toMatchObject({
      answer: { answer: "no", by: "deadline" },
    });
    expect(events.at(-1)).toMatchObject({ outcome: "done" });
    expect(bench.linesOf("agent/effects")).toEqual([]);
    const late = await worker.send("POST", "sessions/main/questions/1.1.1", { answer: "yes" });
    expect(late.status).toBe(409);
  },
  120_000,
);
