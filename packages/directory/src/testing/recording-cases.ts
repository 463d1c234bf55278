import { join } from "node:path";
import { sha256 } from "@mdx-ai/base";
import { type AgentChange, type LiveTools, openReplay, type Replay, type ToolDifference } from "@mdx-ai/runtime";
import { openForTools } from "../opening/open-run.ts";
import { isFile, namesIn } from "../paths.ts";
import { contentText, plainLine } from "../text.ts";
import type { TestCase, TestFailure, TestRun } from "./run-cases.ts";
import { type DifferenceLine, textDifference } from "./text-difference.ts";

/** The folder of an agent directory for recorded sessions. */
const FOLDER = "tests";
const ENDING = ".jsonl";

/**
 * The recorded sessions of an agent directory, sorted by name. Each is replayed completely and must match
 * the current agent: no part of the agent may have changed since.
 */
export async function recordingCases(test: TestRun): Promise<readonly TestCase[]> {
  const folder = join(test.run.directory.path, FOLDER);
  return recordingsIn(folder).map((name) => ({
    subject: "recording",
    name: name.slice(0, -ENDING.length),
    place: { file: `${FOLDER}/${name}`, line: 1, column: 1 },
    run: (signal: AbortSignal) => playFile(join(folder, name), test, signal),
  }));
}

const recordingsIn = (folder: string): readonly string[] =>
  namesIn(folder)
    .filter((name) => name.endsWith(ENDING) && name !== ENDING && isFile(join(folder, name)))
    .toSorted();

async function playFile(
  file: string,
  { whole, isLive, run, frontEnd }: TestRun,
  signal: AbortSignal,
): Promise<TestFailure | undefined> {
  const replay = await openReplay(whole, { file }, run.data);
  const { prompts } = replay.recording;
  if (prompts.length === 0) return { message: `it has no prompt; ${AGAIN}`, lines: [] };
  const changes = replay.changes(prompts);
  if (changes.length > 0) return { message: `${changes.map(changeText).join("; ")}; ${AGAIN}`, lines: [] };
  if (!isLive) return playAll(replay, undefined);
  const { agent, close } = await openForTools(run, frontEnd);
  try {
    const log = async (): Promise<void> => {};
    return await playAll(replay, {
      tools: agent.permittedTools,
      isPartial: true,
      cwd: run.folder,
      signal,
      log,
    });
  } finally {
    await close();
  }
}

/** The advice to record the conversation again. */
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
      // The test passes if the recording can be replayed.
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

/** Such as `the agent changed since prompt 2: section "Rules", parameters of tool weather`. Untrusted names are made plain. */
export const changeText = ({ prompt, parts }: AgentChange): string =>
  `the agent changed since prompt ${prompt}: ${parts.map(plainLine).join(", ")}`;

type Answer = ToolDifference["recorded"];

/** The difference between a result and the recorded one ("-" recorded, "+" now). */
export async function differenceLines({ recorded, now }: ToolDifference): Promise<readonly DifferenceLine[]> {
  const lines = await textDifference(textOf(recorded), textOf(now));
  if (recorded.isError === now.isError) return lines;
  const errors = { "-": recorded.isError, "+": now.isError } as const;
  return [
    ...(["-", "+"] as const).map((mark) => ({ mark, text: errors[mark] ? "(an error)" : "(no error)" })),
    ...lines,
  ];
}

/** Shows an image as a short hash, so that a difference is visible. */
const textOf = ({ content }: Answer): string =>
  content.some(({ type }) => type === "image")
    ? content
        .map((block) => (block.type === "text" ? block.text : `[${block.mimeType} ${shortHash(block.data)}]`))
        .join("\n")
    : contentText(content);

const shortHash = (data: string): string => sha256(data).slice(0, 12);
