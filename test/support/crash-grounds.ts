import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type CrashStory, crashStory, type Life } from "./crash-story.ts";

/** Agent directories in which a crash may begin. */
export interface Grounds {
  /** One prompt was worked off. */
  readonly used: string;
  /** The same, and somebody broke `history.json`. */
  readonly misread: string;
  /** A second prompt was cut short while two of its five tools ran. */
  readonly cut: string;
}

/** Makes the agent directories in which crashes begin, below a folder. */
export async function prepareGrounds(folder: string, home: string): Promise<Grounds> {
  const grounds = { used: join(folder, "used"), misread: join(folder, "misread"), cut: join(folder, "cut") };
  using story = crashStory({ home });
  await whole(story, "a");
  cpSync(story.directory, grounds.used, { recursive: true });
  cpSync(story.directory, grounds.misread, { recursive: true });
  writeFileSync(join(grounds.misread, "sessions/main/history.json"), '[{"role": "user", "cont');
  await story.live({ task: "b", model: "script", standstill: "call b1-slow", kill: { at: "sign", isSeen: hasQuick } });
  cpSync(story.directory, grounds.cut, { recursive: true });
  return grounds;
}

/** The slow one runs, and two that began with it have ended. */
const hasQuick = (stdout: string): boolean =>
  ["b1-quick", "b1-bash"].every((id) => stdout.includes(`"tool_execution_end","toolCallId":"${id}"`));

/** Milliseconds of the longest of some runs, two at a time, as the kills will be. */
export async function measuredDuration(used: string, home: string): Promise<number> {
  const durations = await Promise.all([1, 2].map(() => durationOfTwo(used, home)));
  return Math.max(...durations);
}

async function durationOfTwo(used: string, home: string): Promise<number> {
  const durations: number[] = [];
  for (let run = 0; run < 2; run++) {
    using story = crashStory({ home, from: used });
    const start = performance.now();
    await whole(story, "b");
    durations.push(performance.now() - start);
  }
  return Math.max(...durations);
}

/** A prompt that nobody kills. */
async function whole(story: CrashStory, task: "a" | "b"): Promise<Life> {
  const life = await story.live({ task, model: "script" });
  if (life.exitCode !== 0) throw new Error(`prompt ${task} failed without a kill: ${life.stderr}`);
  return life;
}
