import { openForTools } from "@mdx-ai/directory";
import { changeText, differenceLines } from "@mdx-ai/directory/testing";
import { jsonText, plainLine } from "@mdx-ai/directory/text";
import { counted } from "@mdx-ai/directory/views/figures";
import { mcpToolName } from "@mdx-ai/parser/mcp-tool-name";
import type { AgentChange, LiveTools, ToolDifference } from "@mdx-ai/runtime";
import type { RecordedPrompt } from "@mdx-ai/sessions";
import type { CommandContext } from "../command-context.ts";
import { EXIT_CODE } from "../failures/program-error.ts";
import type { EventView } from "../output/event-views.ts";
import type { Paint } from "../output/output.ts";
import { differenceText } from "../testing/test-report.ts";
import { type PlayedPrompt, summaryText, unknownAgentText, watchPrompt } from "./played-prompt.ts";
import {
  allowLiveTools,
  openStage,
  type ReplayRequest,
  type ReplayStage,
  replayView,
  rerunText,
} from "./replay-stage.ts";

/** Replays a recording. Returns the exit code: 1 if the agent changed, a result differs or a step is missing. */
export async function playRecording(request: ReplayRequest, context: CommandContext): Promise<number> {
  const { isLive, isSure } = request;
  const stage = await openStage(request, context);
  const { signal, run, replay, prompts } = stage;
  if (!isLive) return play(stage, undefined);
  const calls = prompts.flatMap((prompt) => replay.calls(prompt));
  const what = rerunText(calls);
  const allowed = await allowLiveTools({ what, isSure, signal }, context);
  if (allowed === "none") return EXIT_CODE.done;
  const { agent, close } = await openForTools(run, context);
  try {
    const needed = agent.servers.filter((server) =>
      calls.some(({ name }) => name.startsWith(mcpToolName(server.name, ""))),
    );
    await Promise.all(needed.map((server) => server.connect(signal)));
    return await play(stage, allowed === "all" ? agent.tools : agent.permittedTools);
  } finally {
    await close();
  }
}

async function play(stage: ReplayStage, tools: LiveTools["tools"] | undefined): Promise<number> {
  const { request, context, signal, replay, prompts } = stage;
  const { stdout } = context;
  const view = replayView(stage);
  const played: PlayedPrompt[] = [];
  for (const prompt of prompts) {
    if (signal.aborted) break;
    played.push(await playPrompt(prompt, { stage, tools, view }));
  }
  view.end();
  if (signal.aborted) return context.interruption.exitCode ?? EXIT_CODE.done;
  const changes = replay.changes(prompts, tools);
  const report = { recorded: prompts, played, changes };
  stdout.write(request.isJson ? playedReport(report) : reportText(report, context.paint));
  const isSame =
    changes.length === 0 && played.every((one) => one.problem === undefined && one.differences.length === 0);
  return isSame ? EXIT_CODE.done : EXIT_CODE.failed;
}

interface Playing {
  readonly stage: ReplayStage;
  /** Absent if no tool runs. */
  readonly tools: LiveTools["tools"] | undefined;
  readonly view: EventView;
}

async function playPrompt(prompt: RecordedPrompt, { stage, tools, view }: Playing): Promise<PlayedPrompt> {
  const differences: ToolDifference[] = [];
  const live = tools && liveTools(tools, stage, (difference) => differences.push(difference));
  try {
    const watched = await watchPrompt(prompt, stage.replay.play(prompt, live), view);
    await showDifferences(differences, stage);
    return { ...watched, differences };
  } catch (error) {
    if (!(error instanceof Error) || (error.name !== "ReplayError" && !stage.signal.aborted)) throw error;
    if (!stage.signal.aborted) view.note(error.message);
    const { number, input, cost } = prompt;
    const figures = { number, input, cost, answer: "", turns: 0, tools: 0 };
    return { ...figures, outcome: "unfinished", differences, problem: error.message };
  }
}

function liveTools(
  tools: LiveTools["tools"],
  { context, signal, run }: ReplayStage,
  onDifference: LiveTools["onDifference"],
): LiveTools {
  const { stderr, keys } = context;
  const log = async (message: string): Promise<void> => stderr.write(`${plainLine(message)}\n`);
  const report = (difference: ToolDifference): void => {
    // A recording contains no keys, so both are compared redacted.
    if (keys.json(difference.now) !== keys.json(difference.recorded)) onDifference(difference);
  };
  return { tools, cwd: run.folder, signal, log, onDifference: report };
}

async function showDifferences(
  differences: readonly ToolDifference[],
  { request, context }: ReplayStage,
): Promise<void> {
  if (request.isJson) return;
  const { paint } = context;
  for (const difference of differences)
    context.stdout.write(context.keys.text(await shownDifference(difference, paint)));
}

/** How a result differs from the recorded one, as text below the tool's name. */
async function shownDifference(difference: ToolDifference, paint: Paint): Promise<string> {
  const title = `${plainLine(difference.name)} returns a different result now (- recorded, + now)`;
  const lines = await differenceLines(difference);
  return [paint("yellow", title), ...lines.map((line) => `    ${differenceText(line, paint)}`.trimEnd()), ""].join(
    "\n",
  );
}

/** The result of a replay. */
interface ReplayReport {
  readonly recorded: readonly RecordedPrompt[];
  readonly played: readonly PlayedPrompt[];
  readonly changes: readonly AgentChange[];
}

/** The report as text, below the conversation. */
function reportText({ recorded, played, changes }: ReplayReport, paint: Paint): string {
  const differences = played.reduce((count, one) => count + one.differences.length, 0);
  const unknown = unknownAgentText(recorded);
  return [
    "",
    paint("dim", summaryText(played)),
    ...(differences === 0
      ? []
      : [paint("yellow", `${counted(differences, "tool result")} different from the recording`)]),
    ...changes.map((change) => paint("yellow", changeText(change))),
    ...(unknown === undefined ? [] : [paint("dim", unknown)]),
    "",
  ].join("\n");
}

/** As JSON: one line after the events. */
const playedReport = ({ recorded, played, changes }: ReplayReport): string =>
  `${jsonText({
    type: "replay_report",
    version: 1,
    prompts: played.map(({ number, ...prompt }) => ({ prompt: number, ...prompt })),
    changes,
    unknownAgents: recorded.flatMap(({ number, agent }) => (agent === undefined ? [number] : [])),
  })}\n`;
