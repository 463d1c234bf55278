import { cpSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { readSession } from "@mdx-ai/sessions";
import type { CrashResult } from "./crash-case.ts";
import type { Complaint } from "./crash-complaints.ts";
import { crashJudge } from "./crash-judge.ts";
import { type CrashKill, type KilledRun, killedRun } from "./crash-kill.ts";
import { promptText } from "./crash-plot.ts";
import { noProcessesOf } from "./remaining-processes.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

/** A command that changes sessions, such as `rename main other`, and is killed. */
export interface CommandCrash {
  /** The home of the user. */
  readonly home: string;
  /** The agent directory to begin with. */
  readonly from: string;
  /** What follows `mdx-ai sessions DIR`. */
  readonly command: readonly string[];
  /** What the command leads to, by session: how many of its messages are there. */
  readonly outcome: SessionSizes;
  kill(directory: string): CrashKill;
}

/** Messages by session; those without any do not count. */
export type SessionSizes = Readonly<Record<string, number>>;

/** Kills a command, then repeats it: all is as before or as after it, never between, and nothing is left behind. */
export async function runCommandCrash({ home, from, command, outcome, kill }: CommandCrash): Promise<CrashResult> {
  using folder = temporaryDirectory();
  const directory = join(folder.path, "agent");
  cpSync(from, directory, { recursive: true });
  const before = sizesIn(directory);
  const run = (killed?: CrashKill): Promise<KilledRun> =>
    killedRun(["sessions", directory, ...command], { home, cwd: folder.path, ...(killed && { kill: killed }) });
  const { wasKilled } = await run(kill(directory));
  await noProcessesOf(folder.path);
  const between = sizesIn(directory);
  const again = await run();
  const after = sizesIn(directory);
  for (const session of Object.keys(outcome)) await nextStart({ directory, session, home, cwd: folder.path });
  return {
    wasKilled,
    complaints: [
      ...wrongSizes(between, [before, outcome]),
      ...(again.exitCode === 0 || isDeepStrictEqual(between, outcome) ? [] : [other(again.stderr)]),
      ...wrongSizes(after, [outcome]),
      ...leftIn(directory).map((name) => other(`${name} is left behind`)),
    ],
  };
}

interface NextStart {
  readonly directory: string;
  readonly session: string;
  readonly home: string;
  readonly cwd: string;
}

/** Whoever uses a session next clears away what a dead process left. */
async function nextStart({ directory, session, ...options }: NextStart): Promise<void> {
  using judge = crashJudge();
  const talk = ["--session", session, "--prompt", promptText("c"), "--model", "anthropic/claude-test"];
  const { exitCode, stderr } = await killedRun(["agent", directory, "--trust", "--allow", "bash", ...talk], {
    ...options,
    environment: judge.environment,
  });
  if (exitCode !== 0) throw new Error(`session ${session} cannot be used: ${stderr}`);
}

const other = (text: string): Complaint => ({ fault: "other", text });

function wrongSizes(found: SessionSizes, right: readonly SessionSizes[]): Complaint[] {
  if (right.some((sizes) => isDeepStrictEqual(found, sizes))) return [];
  return [{ fault: "lost", text: `there is ${JSON.stringify(found)}, expected ${JSON.stringify(right)}` }];
}

function sizesIn(directory: string): SessionSizes {
  const ids = readdirSync(join(directory, "sessions")).filter((name) => !name.startsWith("."));
  const sizes = ids.map((id) => [id, readSession(directory, id).messages.length] as const);
  return Object.fromEntries(sizes.filter(([, size]) => size > 0));
}

/** What begins with a dot, and locks. */
function leftIn(directory: string): readonly string[] {
  const files = readdirSync(join(directory, "sessions"), { recursive: true, encoding: "utf8" });
  return files.filter((file) => /(^|\/)(\.|lock)/.test(file));
}
