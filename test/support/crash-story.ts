import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Message } from "@mdx-ai/models";
import { readSession } from "@mdx-ai/sessions";
import { writeFiles } from "./agent-files.ts";
import { crashAgent, EFFECTS } from "./crash-agent.ts";
import { crashJudge, type Question } from "./crash-judge.ts";
import { type CrashKill, killedRun } from "./crash-kill.ts";
import { type PromptName, promptText, type Standstill, scriptReplies } from "./crash-plot.ts";
import { noProcessesOf } from "./remaining-processes.ts";
import { scriptReference } from "./replies.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

/** What is found in an agent directory when no process runs. */
export interface Snapshot {
  /** All segments of the journal, one after the other. */
  readonly journal: string;
  /** What tools with effects noted. */
  readonly effects: readonly string[];
  /** The text of `history.json`. */
  readonly history: string;
  /** Absent where the session cannot be read. */
  readonly transcript?: readonly Message[];
  /** Files that have no place there but while a process runs, relative to the agent directory. */
  readonly drafts: readonly string[];
}

/** One process. */
export interface Life {
  /** What it was asked to do. */
  readonly task: Task;
  readonly wasKilled: boolean;
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** What it asked the judge. */
  readonly questions: readonly Question[];
  readonly before: Snapshot;
  readonly after: Snapshot;
}

/** A prompt, or to finish the interrupted one. */
export type Task = PromptName | "resume";

interface LifePlan {
  readonly task: Task;
  /** Who answers; the script model knows only prompts that it begins. */
  readonly model: "script" | "judge";
  readonly kill?: CrashKill;
  readonly standstill?: Standstill;
  /** Whether a prompt is sent with the request to finish the interrupted one. */
  readonly finishes?: boolean;
}

/** An agent directory and the processes that worked in it, one after the other. */
export interface CrashStory extends Disposable {
  /** The agent directory. */
  readonly directory: string;
  readonly lives: readonly Life[];
  /** Starts a process and waits until it and all that it started have ended. */
  live(plan: LifePlan): Promise<Life>;
}

export interface StoryOptions {
  /** The home of the user; many stories may share one. */
  readonly home: string;
  /** An agent directory to begin with; without it a new one. */
  readonly from?: string;
}

/** Begins a story in a folder of its own, which goes with it. */
export function crashStory({ home, from }: StoryOptions): CrashStory {
  const folder = temporaryDirectory();
  const directory = join(folder.path, "agent");
  if (from === undefined) writeFiles(directory, crashAgent);
  else cpSync(from, directory, { recursive: true });
  mkdirSync(home, { recursive: true });
  const lives: Life[] = [];
  return {
    directory,
    lives,
    async live(plan) {
      const life = await livedIn(plan, { folder: folder.path, directory, home });
      lives.push(life);
      return life;
    },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

interface Place {
  readonly folder: string;
  readonly directory: string;
  readonly home: string;
}

async function livedIn(plan: LifePlan, { folder, directory, home }: Place): Promise<Life> {
  using judge = crashJudge();
  const before = snapshotOf(directory);
  const run = await killedRun(argumentsFor(plan, { folder, directory }), {
    home,
    cwd: folder,
    environment: judge.environment,
    ...(plan.kill && { kill: plan.kill }),
  });
  await noProcessesOf(folder);
  return { task: plan.task, ...run, questions: judge.questions, before, after: snapshotOf(directory) };
}

function argumentsFor(plan: LifePlan, place: Omit<Place, "home">): readonly string[] {
  const { task, model, standstill, finishes = false } = plan;
  const resume = task === "resume" || finishes ? ["--resume"] : [];
  const task_ = [...resume, ...(task === "resume" ? [] : ["--prompt", promptText(task)])];
  const answers =
    model === "judge" || task === "resume"
      ? "anthropic/claude-test"
      : scriptReference(place.folder, scriptReplies(task, standstill));
  // A kill at a system call may hit what looks for the sandbox, and the shell is then asked about.
  const permitted = ["--trust", "--allow", "bash"];
  return ["agent", place.directory, ...permitted, "--json", "--session", "main", "--model", answers, ...task_];
}

function snapshotOf(directory: string): Snapshot {
  const session = join(directory, "sessions/main");
  const transcript = transcriptOf(directory);
  return {
    journal: journalFiles(session).map(textOf).join(""),
    effects: textOf(join(directory, EFFECTS)).split("\n").filter(Boolean),
    history: textOf(join(session, "history.json")),
    ...(transcript && { transcript }),
    drafts: draftsIn(directory),
  };
}

/** The older ones first. A journal that is just being put aside has two names. */
function journalFiles(session: string): readonly string[] {
  const names = existsSync(session) ? readdirSync(session).toSorted() : [];
  const older = names.filter((name) => /^journal-\d+\.jsonl$/.test(name));
  const paths = [...older, ...names.filter((name) => name === "journal.jsonl")].map((name) => join(session, name));
  return [...new Map(paths.map((path) => [statSync(path).ino, path])).values()];
}

const textOf = (path: string): string => (existsSync(path) ? readFileSync(path, "utf8") : "");

function transcriptOf(directory: string): readonly Message[] | undefined {
  try {
    return readSession(directory, "main").messages;
  } catch {
    return undefined;
  }
}

/** A tool's own draft of a file is its own affair, and a line that a kill has torn is kept on purpose. */
function draftsIn(directory: string): readonly string[] {
  const files = readdirSync(directory, { recursive: true, encoding: "utf8" });
  return files.filter((file) => /^(sessions|state|logs)\/.*(\.tmp|\/lock[^/]*)$/.test(file));
}
