import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Complaint, complaintsAbout } from "./crash-complaints.ts";
import type { CrashKill } from "./crash-kill.ts";
import type { Standstill } from "./crash-plot.ts";
import { crashStory, type Task } from "./crash-story.ts";

/** A process that is killed, and how the session goes on. */
export interface CrashCase {
  /** The home of the user. */
  readonly home: string;
  /** An agent directory to begin with; without it a new one. */
  readonly from?: string;
  /** What the process does that is killed. */
  readonly task: Task;
  readonly standstill?: Standstill;
  /** `directory` is that of the agent. */
  kill(directory: string): CrashKill;
  /** When the process that comes next is killed, too. */
  killNext?(directory: string): CrashKill;
  /** Whether somebody asks to finish the interrupted prompt, or just sends the next one. */
  readonly next: "resume" | "prompt";
}

/** What came of it. */
export interface CrashResult {
  /** False where the process came to its end before the moment of the kill. */
  readonly wasKilled: boolean;
  readonly complaints: readonly Complaint[];
}

/** Kills a process, goes on with the session, and judges all that is left of it. */
export async function runCrash({ home, from, kill, killNext, next, ...plan }: CrashCase): Promise<CrashResult> {
  using story = crashStory({ home, ...(from !== undefined && { from }) });
  const { directory } = story;
  const { wasKilled } = await story.live({ ...plan, model: "script", kill: kill(directory) });
  if (killNext) await story.live({ task: "resume", model: "judge", kill: killNext(directory) });
  if (next === "resume") await story.live({ task: "resume", model: "judge" });
  // What was copied to another directory is another user's there: its prompt is finished on request alone.
  await story.live({ task: "c", model: "judge", finishes: plan.task === "resume" });
  return { wasKilled, complaints: complaintsAbout(story) };
}

/** The live segment of the journal of an agent directory. */
export const journalOf = (directory: string): string => join(directory, "sessions/main/journal.jsonl");

/** A kill at the so manieth line of a journal that a process writes: before it is written, or right after. */
export function lineKill(directory: string, number: number, side: "before" | "after"): CrashKill {
  const path = journalOf(directory);
  const count = (): number => (existsSync(path) ? readFileSync(path, "utf8").split("\n").length - 1 : 0);
  const lines = count();
  const kill = { at: "call", name: "write", path, number } as const;
  return side === "before" ? kill : { ...kill, isDone: () => count() >= lines + number };
}
