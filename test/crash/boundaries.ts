import { join } from "node:path";
import { lineKill } from "../support/crash-case.ts";
import type { Grounds } from "../support/crash-grounds.ts";
import type { CrashKill } from "../support/crash-kill.ts";
import type { Task } from "../support/crash-story.ts";

/** A kind of moment that comes several times in a run. */
export interface Boundary {
  readonly name: string;
  readonly task: Task;
  /** Without it a new agent directory. */
  readonly ground?: keyof Grounds;
  /** Kinds of kill; each comes at the so manieth time, from 1, until there is no such time. */
  readonly kills: readonly ((directory: string, number: number) => CrashKill)[];
}

const JOURNAL = "sessions/main/journal.jsonl";
const HISTORY = "sessions/main/history.json";

const line =
  (side: "before" | "after") =>
  (directory: string, number: number): CrashKill =>
    lineKill(directory, number, side);

const call =
  (name: string, path?: string) =>
  (directory: string, number: number): CrashKill => ({
    at: "call",
    name,
    ...(path !== undefined && { path: join(directory, path) }),
    number,
  });

/** What makes, moves and removes files; a system has one or another of each. Counted apart, as strace does it. */
export const FILE_CALLS: Boundary["kills"] = [
  call("?rename,?renameat,?renameat2"),
  call("?link,?linkat"),
  call("?unlink,?unlinkat"),
  call("?mkdir,?mkdirat"),
];

/** Both sides of a line of the journal. */
export const LINES: Boundary["kills"] = [line("before"), line("after")];

/** Every moment that leaves another picture on the disk. */
export const BOUNDARIES: readonly Boundary[] = [
  { name: "before a line of the journal", task: "b", ground: "used", kills: [line("before")] },
  { name: "behind a line of the journal", task: "b", ground: "used", kills: [line("after")] },
  { name: "before a sync of the journal", task: "b", ground: "used", kills: [call("fdatasync", JOURNAL)] },
  { name: "before a line of a new session", task: "a", kills: [line("before")] },
  { name: "behind a line of a new session", task: "a", kills: [line("after")] },
  { name: "while a new session is made", task: "a", kills: FILE_CALLS },
  { name: "before the history grows", task: "b", ground: "used", kills: [call("pwrite64", HISTORY)] },
  { name: "while the history is written anew", task: "b", ground: "misread", kills: FILE_CALLS },
  { name: "while files are made, moved and removed", task: "b", ground: "used", kills: FILE_CALLS },
  { name: "while a long journal is put aside", task: "b", ground: "long", kills: FILE_CALLS },
  { name: "behind a line of a journal that was begun anew", task: "b", ground: "long", kills: [line("after")] },
  { name: "before a line of a prompt that is resumed", task: "resume", ground: "cut", kills: [line("before")] },
  { name: "behind a line of a prompt that is resumed", task: "resume", ground: "cut", kills: [line("after")] },
  { name: "while a crashed session is opened", task: "resume", ground: "cut", kills: FILE_CALLS },
];
