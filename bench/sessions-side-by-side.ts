// `npm run bench:side`: 1, 10 and 100 sessions of one agent side by side in one process, each count in a process of its own.
// The model answers after 100 ms and asks for a file in each turn. Prints the gap between an answer and the next request, and
// memory.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AssistantMessage, LanguageModel, ModelEvent } from "@mdx-ai/models";
import { readAgentDirectory } from "@mdx-ai/parser";
import { openAgent } from "@mdx-ai/runtime";
import { median } from "./median.ts";
import { quietMoment } from "./quiet-moment.ts";

const COUNTS = [1, 10, 100];
const TURNS = 20;
/** Milliseconds until the model answers. */
const PATIENCE = 100;
const MEBIBYTE = 1024 * 1024;

interface Figures {
  /** Milliseconds: the median, and the time that 95 % stay below. */
  readonly gap: number;
  readonly lateGap: number;
  /** Resident MiB before the first prompt and after the last. */
  readonly before: number;
  readonly after: number;
}

async function measure(): Promise<void> {
  const found = new Map<number, Figures>();
  for (const count of COUNTS) {
    await quietMoment();
    const child = Bun.spawn([process.execPath, import.meta.path, "run", String(count)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const text = await child.stdout.text();
    if ((await child.exited) !== 0) throw new Error(`${count} sessions failed`);
    found.set(count, JSON.parse(text));
  }
  const one = found.get(1);
  for (const [count, { gap, lateGap, before, after }] of found) {
    const ratio = (gap / (one?.gap ?? Number.NaN)).toFixed(1);
    const each =
      count === 1 ? "" : `, ${(((after - (one?.after ?? 0)) / (count - 1)) * 1024).toFixed(0)} KiB for each more`;
    console.log(
      `${String(count).padStart(3)} sessions  gap ${gap.toFixed(2)} ms (${ratio}×), 95 % below ${lateGap.toFixed(2)} ms; ` +
        `memory ${before.toFixed(0)} → ${after.toFixed(0)} MiB${each}`,
    );
  }
}

async function run(count: number): Promise<Figures> {
  const path = mkdtempSync(join(tmpdir(), "mdx-ai-bench-"));
  try {
    writeFileSync(join(path, "note.txt"), "A note.\n");
    writeFileSync(
      join(path, "agent.mdx"),
      `---\nlimits: { sessions: ${count} }\n---\n# Agent: Bench\n\n## Purpose\n\nRead.\n`,
    );
    const gaps: number[] = [];
    const agent = await openAgent({
      directory: await readAgentDirectory(path),
      model: reader(gaps),
      cwd: path,
      toolHostCommand: ["false"],
      environment: {},
    });
    const before = process.memoryUsage.rss() / MEBIBYTE;
    const prompts = Array.from({ length: count }, async (_, number) => {
      for await (const event of agent.session(`s${number}`).prompt(`session ${number}`)) {
        if (event.type === "agent_end" && event.outcome !== "done") throw new Error(`a prompt ended: ${event.outcome}`);
      }
    });
    await Promise.all(prompts);
    const after = process.memoryUsage.rss() / MEBIBYTE;
    await agent.close();
    const sorted = gaps.toSorted((one, other) => one - other);
    const lateGap = sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN;
    return { gap: median(gaps), lateGap, before, after };
  } finally {
    rmSync(path, { recursive: true, force: true });
  }
}

/** A model that asks for the same file turn by turn, and at last for none. Notes the gap before each request but the first. */
function reader(gaps: number[]): LanguageModel {
  const answered = new Map<string, number>();
  return {
    provider: "bench",
    name: "bench",
    async *stream({ messages }): AsyncGenerator<ModelEvent> {
      const session = JSON.stringify(messages[0]?.content);
      const last = answered.get(session);
      if (last !== undefined) gaps.push(performance.now() - last);
      await Bun.sleep(PATIENCE);
      const turn = messages.filter(({ role }) => role === "assistant").length;
      const message = turn < TURNS ? callOf(turn) : textOf("Done.");
      answered.set(session, performance.now());
      yield { type: "done", message };
    },
  };
}

const answer = {
  role: "assistant",
  provider: "bench",
  model: "bench",
  usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, thinking: 0, total: 0 },
  timestamp: 0,
  latency: 0,
} as const;

const textOf = (text: string): AssistantMessage => ({
  ...answer,
  content: [{ type: "text", text }],
  stopReason: "stop",
});

const callOf = (turn: number): AssistantMessage => ({
  ...answer,
  content: [{ type: "toolCall", id: `c${turn}`, name: "read_file", arguments: { path: "note.txt" } }],
  stopReason: "toolUse",
});

if (process.argv[2] === "run") console.log(JSON.stringify(await run(Number(process.argv[3]))));
else await measure();
