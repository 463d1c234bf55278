// `npm run bench:peers [-- --repetitions=5]`: measures dist/mdx-ai beside a bare loop and the agent programs on PATH that speak
// Anthropic's protocol, and prints a table in Markdown. A program that does not do what is scripted is left out, with the reason.
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { type Contestant, type ContestantOptions, floor, mdxAi, PROMPT, prepare } from "./contestants.ts";
import { measure, type Run } from "./measure.ts";
import { median } from "./median.ts";
import { quietMoment } from "./quiet-moment.ts";
import { SCENARIOS } from "./scenarios.ts";
import { serveModel } from "./served-model.ts";

const MODEL = "claude-sonnet-4-5";
/** The scenarios that every program can play. */
const COMPARED = SCENARIOS.filter(({ name }) => name === "text" || name === "reads");

type Peer = Pick<Contestant, "name" | "readTool"> & {
  readonly program: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Files of its home folder. */
  files(modelUrl: string): Readonly<Record<string, unknown>>;
};

const PEERS: readonly Peer[] = [
  {
    ...{ name: "pi", program: "pi", readTool: { name: "read", parameter: "path" } },
    args: ["--print", "--model", `anthropic/${MODEL}`, PROMPT],
    environment: { PI_OFFLINE: "1", PI_TELEMETRY: "0" },
    files: (baseUrl) => ({ ".pi/agent/models.json": { providers: { anthropic: { baseUrl } } } }),
  },
  {
    ...{ name: "Claude Code", program: "claude", readTool: { name: "Read", parameter: "file_path" } },
    args: ["-p", PROMPT, "--model", MODEL, "--allowedTools", "Read,Bash"],
    environment: {
      ...{ CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1", DISABLE_AUTOUPDATER: "1", DISABLE_TELEMETRY: "1" },
      DISABLE_ERROR_REPORTING: "1",
    },
    files: () => ({}),
  },
  {
    ...{ name: "OpenCode", program: "opencode", readTool: { name: "read", parameter: "filePath" } },
    args: ["run", PROMPT],
    environment: {
      ...{ OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_DISABLE_MODELS_FETCH: "1", OPENCODE_DISABLE_SHARE: "1" },
      ...{ OPENCODE_DISABLE_LSP_DOWNLOAD: "1", OPENCODE_DISABLE_DEFAULT_PLUGINS: "1" },
    },
    files: (baseUrl) => ({
      ".config/opencode/opencode.json": {
        ...{ autoupdate: false, share: "disabled", model: `anthropic/${MODEL}`, small_model: `anthropic/${MODEL}` },
        ...{ permission: { read: "allow" }, provider: { anthropic: { options: { baseURL: `${baseUrl}/v1` } } } },
      },
    }),
  },
];

const { values: options } = parseArgs({ options: { repetitions: { type: "string", default: "5" } } });
const workshop = await mkdtemp(join(tmpdir(), "mdx-ai-bench-"));
const server = await serveModel();
try {
  const place = { workshop, modelUrl: server.url, place: "compared" } as const;
  const peers = await Promise.all(PEERS.map((peer) => contestantOf(peer, place)));
  const all = [await floor(place), await mdxAi(place), ...peers.filter((peer) => peer !== undefined)];
  console.log(tableOf(await runAll(all)));
} finally {
  server.stop();
  await rm(workshop, { recursive: true, force: true });
}

/** The program on PATH; undefined if there is none. */
async function contestantOf(peer: Peer, options: ContestantOptions): Promise<Contestant | undefined> {
  const program = Bun.which(peer.program);
  if (program === null) return undefined;
  const { folder, environment } = await prepare(peer.name, options);
  const home = environment["HOME"] ?? "";
  for (const [path, content] of Object.entries(peer.files(options.modelUrl))) {
    await mkdir(dirname(join(home, path)), { recursive: true });
    await Bun.write(join(home, path), JSON.stringify(content));
  }
  const { name, readTool, args } = peer;
  const shown = Bun.spawnSync([program, "--version"], { env: { ...process.env, HOME: home } });
  const version = /\d+\.\d+\.\d+/.exec(`${shown.stdout}${shown.stderr}`)?.[0] ?? "";
  return {
    ...{ name: `${name} ${version}`.trim(), command: [program, ...args], folder, ...(readTool && { readTool }) },
    environment: { ...environment, ...peer.environment, PATH: process.env["PATH"] ?? "" },
    forget: async () => {},
  };
}

/** Repetitions outside, contestants inside; the first round warms caches up and finds who does not follow the script. */
async function runAll(contestants: readonly Contestant[]): Promise<readonly Run[]> {
  const able = new Set(contestants);
  const runs: Run[] = [];
  for (let round = 0; round <= Number(options.repetitions); round++) {
    console.error(round === 0 ? "warming up …" : `round ${round} of ${options.repetitions} …`);
    for (const contestant of able) {
      const measured = await runsOf(contestant).catch((error: unknown) => {
        console.error(`left out: ${error instanceof Error ? error.message : error}`);
        able.delete(contestant);
        return [];
      });
      if (round > 0) runs.push(...measured);
    }
  }
  return runs.filter(({ contestant }) => [...able].some(({ name }) => name === contestant));
}

async function runsOf(contestant: Contestant): Promise<readonly Run[]> {
  const runs: Run[] = [];
  for (const scenario of COMPARED) {
    await contestant.forget();
    await quietMoment();
    runs.push(await measure({ contestant, scenario, modelUrl: server.url }));
  }
  return runs;
}

function tableOf(runs: readonly Run[]): string {
  const names = [...new Set(runs.map(({ contestant }) => contestant))];
  const rows = names.map((name) => {
    const of = (scenario: string): readonly Run[] =>
      runs.filter((run) => run.contestant === name && run.scenario === scenario);
    const shown = (scenario: string, figure: (run: Run) => number): string => {
      const value = median(of(scenario).map(figure));
      return value.toFixed(value < 10 ? 1 : 0);
    };
    return [
      name === "floor" ? "a bare loop over `fetch`" : name,
      `${shown("text", (run) => run.firstRequest)} ms`,
      `${shown("reads", (run) => median(run.gaps))} ms`,
      `${shown("reads", (run) => run.cpu)} ms`,
      `${shown("reads", (run) => run.peakMemory)} MiB`,
    ];
  });
  const head = ["", "first request", "between two turns", "CPU of 50 reads", "peak memory"];
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
