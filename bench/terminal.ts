// `npm run bench:terminal [-- --no-build]`: when the first request comes (to one prompt, in a workspace, in a terminal), the CPU
// time of 10,000 deltas in a terminal above an answer of one word, and how long a typed key waits beside such a stream. With
// dist/mdx-ai and a model on loopback, everything in turn. Exits with 1 where a promise is broken.
import { mkdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { buildExecutable } from "../scripts/build-executable.ts";
import { readRecording } from "./measure.ts";
import { median } from "./median.ts";
import type { Recording } from "./model-server.ts";
import { quietMoment } from "./quiet-moment.ts";

const ROUNDS = 60;
const WARM_UP_ROUNDS = 3;
const STREAMS = 5;
const AGENT = "# Agent: Bench\n\n## Purpose\n\nAnswer briefly.\n";
const EXECUTABLE = join(import.meta.dir, "../dist/mdx-ai");
/** A tick of the system's clock of processes, in milliseconds. */
const TICK = 10;
const KEYS = "1234567890";

const now = (): number => performance.timeOrigin + performance.now();

interface Place {
  readonly origin: string;
  readonly agent: string;
  readonly repository: string;
  readonly environment: Readonly<Record<string, string>>;
}

const recording = ({ origin }: Place): Promise<Recording> => readRecording(origin);

const begin = ({ origin }: Place, name: string): Promise<Response> =>
  fetch(`${origin}/begin/${name}`, { method: "POST" });

const command = ({ agent }: Place, ...flags: readonly string[]): string[] => [
  EXECUTABLE,
  "agent",
  agent,
  ...["--trust", "--model", "anthropic/claude-sonnet-4-5", ...flags],
];

/** Milliseconds from the start of the program to the first request of one prompt. */
async function firstRequest(place: Place, ...flags: readonly string[]): Promise<number> {
  await begin(place, "text");
  const startedAt = now();
  const child = Bun.spawn(command(place, ...flags, "--prompt", "Hello."), {
    ...{ cwd: place.repository, env: place.environment, stdio: ["ignore", "ignore", "pipe"] },
  });
  const errors = await child.stderr.text();
  if ((await child.exited) !== 0) throw new Error(errors);
  const [first] = (await recording(place)).exchanges;
  return (first?.arrivedAt ?? Number.NaN) - startedAt;
}

interface Conversation {
  /** Milliseconds from the start of the program to its first line for input. */
  readonly ready: number;
  /** From Enter to the first request. */
  readonly request: number;
  /** CPU time of the prompt. */
  readonly cpu: number;
  /** From each typed key to its echo. */
  readonly echoes: readonly number[];
}

/** One prompt in a terminal of 100×30; `isTyping`: with keys typed while the answer comes. */
async function converse(place: Place, scenario: string, isTyping: boolean): Promise<Conversation> {
  await begin(place, scenario);
  let screen = "";
  const startedAt = now();
  const terminal = new Bun.Terminal({
    cols: 100,
    rows: 30,
    data: (_, bytes) => {
      screen += Buffer.from(bytes);
    },
  });
  const child = Bun.spawn(command(place), { cwd: place.repository, env: place.environment, terminal });
  try {
    await until(() => screen.includes("> "));
    const ready = now() - startedAt;
    await Bun.sleep(200);
    const before = cpuOf(child.pid);
    const enteredAt = now();
    terminal.write("Hello.\r");
    await until(async () => (await recording(place)).exchanges.length > 0);
    const echoes: number[] = [];
    for (const [index] of isTyping ? [...KEYS].entries() : []) echoes.push(await echo(index));
    await until(async () => ((await recording(place)).exchanges[0]?.endedAt ?? 0) > 0);
    await Bun.sleep(300);
    const cpu = cpuOf(child.pid) - before;
    return {
      ready,
      cpu,
      echoes,
      request: ((await recording(place)).exchanges[0]?.arrivedAt ?? Number.NaN) - enteredAt,
    };
  } finally {
    child.kill("SIGKILL");
    await child.exited;
    terminal.close();
  }

  async function echo(index: number): Promise<number> {
    screen = "";
    const typedAt = now();
    terminal.write(KEYS.charAt(index));
    await until(() => screen.includes(KEYS.slice(0, index + 1)), 0);
    return now() - typedAt;
  }
}

async function until(isSo: () => boolean | Promise<boolean>, pause = 1): Promise<void> {
  for (const deadline = now() + 20_000; !(await isSo()); ) {
    if (now() > deadline) throw new Error("nothing came for 20 seconds");
    await Bun.sleep(pause);
  }
}

/** User and system time of a process, in milliseconds. */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * TICK;
}

function report(title: string, value: number, limit: number, unit = "ms"): boolean {
  console.log(
    `${title.padEnd(58)} ${value.toFixed(1).padStart(7)} ${unit} (${value <= limit ? "within" : "over"} ${limit})`,
  );
  return value <= limit;
}

async function measure(place: Place): Promise<boolean> {
  const plain: number[] = [];
  const workspace: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await quietMoment();
    plain.push(await firstRequest(place));
    // A program that starts right after another one finds the machine awake.
    await quietMoment();
    workspace.push(await firstRequest(place, "--here"));
  }
  const words: Conversation[] = [];
  const streams: Conversation[] = [];
  const typed: Conversation[] = [];
  for (let round = 0; round < STREAMS; round++) {
    await quietMoment();
    words.push(await converse(place, "text", false));
    streams.push(await converse(place, "drip", false));
    typed.push(await converse(place, "drip", true));
  }
  const first = median(plain.slice(WARM_UP_ROUNDS));
  const inWorkspace = median(workspace.slice(WARM_UP_ROUNDS));
  const cpu = median(streams.map((one) => one.cpu)) - median(words.map((one) => one.cpu));
  console.log(
    `first request of one prompt ${first.toFixed(1)} ms, in a workspace ${inWorkspace.toFixed(1)} ms (${(inWorkspace / first).toFixed(2)}×)`,
  );
  console.log(`a terminal is ready after ${median(words.map(({ ready }) => ready)).toFixed(1)} ms`);
  return [
    report("more for the first request in a workspace with AGENTS.md", inWorkspace - first, 2),
    report("from Enter to the first request in a terminal", median(words.map(({ request }) => request)), 20),
    report("CPU of 10,000 deltas in a terminal, above one word", cpu, 800),
    report("from a key to its echo beside the stream", median(typed.flatMap(({ echoes }) => echoes)), 16),
  ].every(Boolean);
}

const { values: options } = parseArgs({
  allowNegative: true,
  options: { build: { type: "boolean", default: true } },
});
const workshop = await mkdtemp(join(tmpdir(), "mdx-ai-bench-"));
const server = Bun.spawn([process.execPath, join(import.meta.dir, "model-server.ts")], {
  stdio: ["ignore", "pipe", "inherit"],
});
try {
  if (options.build) await buildExecutable({ outfile: EXECUTABLE });
  const [agent, repository, home] = ["agent", "repository", "home"].map((name) => join(workshop, name));
  for (const folder of [agent, join(repository ?? "", ".git"), home]) mkdirSync(folder ?? "", { recursive: true });
  await Bun.write(join(agent ?? "", "agent.mdx"), AGENT);
  await Bun.write(join(repository ?? "", "AGENTS.md"), "Indent with tabs.\n");
  const reader = server.stdout.getReader();
  const origin = Buffer.from((await reader.read()).value ?? [])
    .toString()
    .trim();
  const variables = { PATH: "/usr/local/bin:/usr/bin:/bin", LANG: "C.UTF-8", TERM: "xterm-256color" };
  const keys = { ANTHROPIC_API_KEY: "not-a-key", ANTHROPIC_BASE_URL: origin };
  const environment = { ...variables, ...keys, HOME: home ?? "" };
  process.exitCode = (await measure({ origin, agent: agent ?? "", repository: repository ?? "", environment })) ? 0 : 1;
} finally {
  server.kill();
  await rm(workshop, { recursive: true, force: true });
}
