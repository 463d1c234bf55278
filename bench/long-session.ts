// `npm run bench:sessions`: what a long session costs: a turn's own work after 10 and after 10,000 messages (50 MB), opening
// against reading the file, and memory beside what is sent. Exits with 1 where a promise is broken.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Look } from "./long-session-look.ts";
import { type SessionKind, writeSession } from "./session-writer.ts";

const ROUNDS = 7;

const workshop = await mkdtemp(join(tmpdir(), "mdx-ai-bench-"));
try {
  const [short, long, summarised] = await Promise.all([
    prepared("short", { messages: 10, bytes: 50_000 }),
    prepared("long", { messages: 10_000, bytes: 50_000_000 }),
    prepared("summarised", { messages: 10_000, bytes: 50_000_000, isSummarised: true }),
  ]);
  const looks = { short: [] as Look[], long: [] as Look[], summarised: [] as Look[], read: [] as Look[] };
  for (let round = 0; round < ROUNDS; round++) {
    looks.short.push(await look("turns", short));
    looks.long.push(await look("turns", long));
    looks.summarised.push(await look("turns", summarised));
    looks.read.push(await look("read", long));
  }
  const promises = [
    {
      title: "a turn's own work after 10,000 messages",
      base: `after 10: ${median(looks.short, "gap").toFixed(3)} ms`,
      ours: `${median(looks.long, "gap").toFixed(3)} ms`,
      ratio: median(looks.long, "gap") / median(looks.short, "gap"),
      limit: 1.5,
    },
    {
      title: "the same where most is summarised",
      base: `after 10: ${median(looks.short, "gap").toFixed(3)} ms`,
      ours: `${median(looks.summarised, "gap").toFixed(3)} ms`,
      ratio: median(looks.summarised, "gap") / median(looks.short, "gap"),
      limit: 1.5,
    },
    {
      title: "opening 50 MB that all are sent",
      base: `reading and parsing: ${median(looks.read, "open").toFixed(0)} ms`,
      ours: `${median(looks.long, "open").toFixed(0)} ms`,
      ratio: median(looks.long, "open") / median(looks.read, "open"),
      limit: 2.5,
    },
    {
      title: "opening 50 MB that are summarised",
      base: `reading and parsing: ${median(looks.read, "open").toFixed(0)} ms`,
      ours: `${median(looks.summarised, "open").toFixed(1)} ms`,
      ratio: median(looks.summarised, "open") / median(looks.read, "open"),
      limit: 2.5,
    },
    {
      title: "memory beyond a short session's, summarised",
      base: `short: ${median(looks.short, "peak").toFixed(0)} MiB`,
      ours: `${median(looks.summarised, "peak").toFixed(0)} MiB`,
      ratio: median(looks.summarised, "peak") - median(looks.short, "peak"),
      limit: 30,
    },
  ];
  for (const { title, base, ours, ratio, limit } of promises) {
    console.log(
      `${ratio <= limit ? "✓" : "✗"} ${title.padEnd(44)} ${base.padEnd(32)} mdx-ai ${ours.padEnd(12)} ${ratio.toFixed(2)} of at most ${limit}`,
    );
  }
  process.exitCode = promises.every(({ ratio, limit }) => ratio <= limit) ? 0 : 1;
} finally {
  await rm(workshop, { recursive: true, force: true });
}

/** Writes the session, and lets it be opened once, as the one before will have. */
async function prepared(name: string, kind: SessionKind): Promise<string> {
  const directory = join(workshop, name);
  await writeSession(directory, kind);
  await look("turns", directory);
  return directory;
}

async function look(what: "turns" | "read", directory: string): Promise<Look> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "long-session-look.ts"), what, directory], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const text = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error(`${what} of ${directory} failed`);
  return JSON.parse(text);
}

function median(looks: readonly Look[], figure: keyof Look): number {
  const sorted = looks.map((one) => one[figure]).sort((one, other) => one - other);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}
