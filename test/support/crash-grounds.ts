import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { journalOf } from "./crash-case.ts";
import { type CrashStory, crashStory, type Life } from "./crash-story.ts";

/** Agent directories in which a crash may begin. */
export interface Grounds {
  /** One prompt was worked off. */
  readonly used: string;
  /** The same, and somebody broke `history.json`. */
  readonly misread: string;
  /** The same, with a journal that is long enough for a new one. */
  readonly long: string;
  /** The same, after a second prompt: there are two journals. */
  readonly segments: string;
  /** A second prompt was cut short while two of its five tools ran. */
  readonly cut: string;
}

/** Makes the agent directories in which crashes begin, below a folder. */
export async function prepareGrounds(folder: string, home: string): Promise<Grounds> {
  using story = crashStory({ home });
  const ground = (name: string): string => {
    cpSync(story.directory, join(folder, name), { recursive: true });
    return join(folder, name);
  };
  await whole(story, "a");
  const [used, misread, long] = [ground("used"), ground("misread"), ground("long")];
  writeFileSync(join(misread, "sessions/main/history.json"), '[{"role": "user", "cont');
  writeFileSync(journalOf(long), lengthened(readFileSync(journalOf(long), "utf8")));
  await story.live({ task: "b", model: "script", standstill: "call b1-slow", kill: { at: "sign", isSeen: hasQuick } });
  return { used, misread, long, segments: await segmentsOf(long, join(folder, "segments"), home), cut: ground("cut") };
}

async function segmentsOf(long: string, folder: string, home: string): Promise<string> {
  using story = crashStory({ home, from: long });
  await whole(story, "b");
  cpSync(story.directory, folder, { recursive: true });
  return folder;
}

/** More than the bytes from which on a journal is put aside. */
const LONG = 8.5 * 1024 * 1024;

/** A journal in which a tool gave many details, which no model is sent. */
const lengthened = (journal: string): string =>
  journal.replace('"toolName":"look"', `"toolName":"look","details":{"much":"${"x".repeat(LONG)}"}`);

/** The slow one runs, and two that began with it have ended. */
const hasQuick = (stdout: string): boolean =>
  ["b1-quick", "b1-bash"].every((id) => stdout.includes(`"tool_execution_end","toolCallId":"${id}"`));

/** Milliseconds of the shortest of some runs, two at a time, as the kills will be. */
export async function measuredDuration(used: string, home: string): Promise<number> {
  const durations = await Promise.all([1, 2].map(() => durationOfTwo(used, home)));
  return Math.min(...durations);
}

async function durationOfTwo(used: string, home: string): Promise<number> {
  const durations: number[] = [];
  for (let run = 0; run < 2; run++) {
    using story = crashStory({ home, from: used });
    const start = performance.now();
    await whole(story, "b");
    durations.push(performance.now() - start);
  }
  return Math.min(...durations);
}

/** A prompt that nobody kills. */
async function whole(story: CrashStory, task: "a" | "b"): Promise<Life> {
  const life = await story.live({ task, model: "script" });
  if (life.exitCode !== 0) throw new Error(`prompt ${task} failed without a kill: ${life.stderr}`);
  return life;
}
