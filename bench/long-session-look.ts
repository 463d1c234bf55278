// One look at a session, in a process of its own. Usage: bun bench/long-session-look.ts turns|read DIRECTORY
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { AssistantMessage, LanguageModel, ModelEvent } from "@mdx-ai/models";
import { readAgentDirectory } from "@mdx-ai/parser";
import { openAgent } from "@mdx-ai/runtime";

/** What a look found. Times in milliseconds, memory in MiB. */
export interface Look {
  /** From the beginning of the prompt until the model is asked, or until all lines are read and parsed. */
  readonly open: number;
  /** The median of the times from the end of an answer until the model is asked again. */
  readonly gap: number;
  /** The most memory that the process had. */
  readonly peak: number;
}

const TURNS = 60;
const WARM_UP_TURNS = 20;

function readAll(path: string): Omit<Look, "peak"> {
  const folder = join(path, "sessions/main");
  const names = readdirSync(folder).filter((name) => /^journal.*\.jsonl$/.test(name));
  const start = performance.now();
  const lines = names.flatMap((name) =>
    readFileSync(join(folder, name), "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line): unknown => JSON.parse(line)),
  );
  if (lines.length === 0) throw new Error("there is nothing to read");
  return { open: performance.now() - start, gap: 0 };
}

async function workThrough(path: string): Promise<Omit<Look, "peak">> {
  const asked: number[] = [];
  const answered: number[] = [];
  const agent = await openAgent({
    directory: await readAgentDirectory(path),
    model: caller(asked, answered),
    cwd: path,
    toolHostCommand: ["false"],
    environment: {},
    maxTurns: TURNS + 1,
  });
  const start = performance.now();
  for await (const event of agent.session().prompt("Read it again.")) {
    if (event.type === "agent_end" && event.outcome !== "done") throw new Error(`the prompt ended: ${event.outcome}`);
  }
  await agent.close();
  const gaps = asked.slice(1).map((time, turn) => time - (answered[turn] ?? Number.NaN));
  const late = gaps.slice(WARM_UP_TURNS).sort((one, other) => one - other);
  return { open: (asked[0] ?? Number.NaN) - start, gap: late[late.length >> 1] ?? Number.NaN };
}

/** A model that asks for the same file turn by turn, and at last for none. */
function caller(asked: number[], answered: number[]): LanguageModel {
  return {
    provider: "bench",
    name: "bench",
    stream() {
      asked.push(performance.now());
      return answer();
    },
  };
  async function* answer(): AsyncGenerator<ModelEvent> {
    const message = answerOf(asked.length);
    yield { type: "start", partial: message };
    answered.push(performance.now());
    yield { type: "done", message };
  }
}

const answerOf = (turn: number): AssistantMessage => ({
  role: "assistant",
  content:
    turn <= TURNS
      ? [{ type: "toolCall", id: `call_${turn}`, name: "read_file", arguments: { path: "note.txt" } }]
      : [{ type: "text", text: "Done." }],
  provider: "bench",
  model: "bench",
  usage: { input: 100, output: 10, cacheRead: 0, cacheWrite: 0, thinking: 0, total: 110 },
  stopReason: turn <= TURNS ? "toolUse" : "stop",
  timestamp: 0,
});

const [what, directory = ""] = process.argv.slice(2);
const { open, gap } = what === "read" ? readAll(directory) : await workThrough(directory);
const peak = process.resourceUsage().maxRSS / 1024;
console.log(JSON.stringify({ open, gap, peak } satisfies Look));
