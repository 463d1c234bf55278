// `npm run bench:list`: what listing 1,000 sessions of 1 MB costs, in a process that has just started: from kept summaries,
// and after one session has gone on; beside it the first list of sessions without summaries, which reads every journal.
// Exits with 1 where a promise is broken.
import { appendFileSync, copyFileSync, mkdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { quietMoment } from "./quiet-moment.ts";
import { beginning, writeSession } from "./session-writer.ts";

const SESSIONS = 1000;
const ROUNDS = 7;
/** Milliseconds. */
const LIMIT = 100;

if (process.argv[2] === "list") await listOnce(process.argv[3] ?? "");
else await measure();

async function measure(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "mdx-ai-bench-"));
  try {
    await writeSession(directory, { messages: 200, bytes: 1_000_000 });
    const journal = join(directory, "sessions/main/journal.jsonl");
    for (let number = 1; number < SESSIONS; number++) {
      const folder = join(directory, "sessions", `2026-04-28_${number}`);
      mkdirSync(folder);
      copyFileSync(journal, join(folder, "journal.jsonl"));
    }
    const first = await list(directory);
    const kept = await rounds(directory, () => {});
    const grown = await rounds(directory, (round) => appendFileSync(journal, prompt(1000 + round)));
    report("the first list, which reads 1 GB", first, undefined);
    const holds = [report("from kept summaries", kept, LIMIT), report("after a prompt of one session", grown, LIMIT)];
    process.exitCode = holds.every(Boolean) ? 0 : 1;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function rounds(directory: string, before: (round: number) => void): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    before(round);
    await quietMoment();
    times.push(await list(directory));
  }
  return times.toSorted((one, other) => one - other)[ROUNDS >> 1] ?? Number.NaN;
}

/** The milliseconds that a new process takes for its first list. */
async function list(directory: string): Promise<number> {
  const child = Bun.spawn([process.execPath, import.meta.path, "list", directory], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const text = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error(`listing ${directory} failed`);
  return Number(text);
}

async function listOnce(directory: string): Promise<void> {
  const { listSessions } = await import("@mdx-ai/sessions");
  const start = performance.now();
  const { sessions } = listSessions(directory);
  const time = performance.now() - start;
  if (sessions.length !== SESSIONS || sessions.some(({ state }) => state !== "readable")) process.exitCode = 1;
  console.log(time);
}

function prompt(number: number): string {
  const lines = [
    { v: 1, prompt: number, step: "begin", result: beginning(number, "More?") },
    { v: 1, prompt: number, step: "end", result: { outcome: "done", at: 0 } },
  ];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

function report(title: string, time: number, limit: number | undefined): boolean {
  const holds = limit === undefined || time <= limit;
  const most = limit === undefined ? "" : ` of at most ${limit} ms`;
  console.log(`${holds ? "✓" : "✗"} ${title.padEnd(36)} ${time.toFixed(1)} ms${most}`);
  return holds;
}
