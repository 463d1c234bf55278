import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { type LiveTools, openReplay, type Replay, type ToolDifference } from "@mdx-ai/runtime";
import { changeText, differenceLines } from "../comparing/recording-differences.ts";
import { toolsFolder } from "../opening/agent-run.ts";
import { openForTools } from "../opening/open-run.ts";
import type { TestCase, TestFailure, TestRun } from "./run-cases.ts";

/** The folder of an agent directory for recorded sessions. */
const FOLDER = "tests";
const ENDING = ".jsonl";

/**
 * The recorded sessions of an agent directory, by their names. Each is played from its beginning to its end, and must be what
 * the agent of today could have said: nothing of it may have changed since.
 */
export async function recordingCases(test: TestRun): Promise<readonly TestCase[]> {
  const folder = join(test.directory.path, FOLDER);
  return recordingsIn(folder).map((name) => ({
    subject: "recording",
    name: name.slice(0, -ENDING.length),
    place: { file: `${FOLDER}/${name}`, line: 1, column: 1 },
    run: (signal: AbortSignal) => playFile(join(folder, name), test, signal),
  }));
}

function recordingsIn(folder: string): readonly string[] {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(ENDING) && name !== ENDING)
    .filter((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.isFile())
    .sort();
}

async function playFile(
  file: string,
  { whole, directory, isLive, run, surroundings }: TestRun,
  signal: AbortSignal,
): Promise<TestFailure | undefined> {
  const replay = await openReplay(whole, { file }, run.data);
  const { prompts } = replay.recording;
  if (prompts.length === 0) return { message: `there is no prompt in it; ${AGAIN}`, lines: [] };
  const changes = replay.changes(prompts);
  if (changes.length > 0) return { message: `${changes.map(changeText).join("; ")}; ${AGAIN}`, lines: [] };
  if (!isLive) return playAll(replay, undefined);
  const agent = await openForTools(run, directory, surroundings);
  try {
    const log = async (): Promise<void> => {};
    return await playAll(replay, {
      tools: agent.permittedTools,
      isPartial: true,
      cwd: toolsFolder(run, directory),
      signal,
      log,
    });
  } finally {
    await agent.close();
  }
}

/** The same conversation would have to be recorded again. */
const AGAIN =
  "record it again: mdx-ai sessions DIR export ID --format jsonl --output DIR/tests/NAME.jsonl, from a new session";

async function playAll(
  { recording, play }: Replay,
  live: Omit<LiveTools, "onDifference"> | undefined,
): Promise<TestFailure | undefined> {
  const differences: ToolDifference[] = [];
  const onDifference = (difference: ToolDifference): void => void differences.push(difference);
  for (const prompt of recording.prompts) {
    for await (const _event of play(prompt, live && { ...live, onDifference })) {
      // The test is whether it can be played.
    }
    const [difference, ...more] = differences;
    if (difference !== undefined) return differenceFailure(difference, more.length);
  }
  return undefined;
}

async function differenceFailure(difference: ToolDifference, others: number): Promise<TestFailure> {
  const { prompt, name } = difference;
  const more = others === 0 ? "" : ` (and ${others} other call${others === 1 ? "" : "s"})`;
  const message = `prompt ${prompt}: ${name} returns a different result now${more} (- recorded, + now); ${AGAIN}`;
  return { message, lines: await differenceLines(difference) };
}
