import { agentOptions, warn } from "@mdx-ai/directory";
import { changeText, textDifference } from "@mdx-ai/directory/testing";
import { jsonText, plainLine } from "@mdx-ai/directory/text";
import { counted, grouped } from "@mdx-ai/directory/views/figures";
import { costText } from "@mdx-ai/directory/views/prompt-lines";
import type { Cost } from "@mdx-ai/loop";
import { type AgentChange, type CallCounts, type Comparison, openComparison } from "@mdx-ai/runtime";
import { serversOfDirectory } from "@mdx-ai/runtime/declared-servers";
import type { RecordedPrompt } from "@mdx-ai/sessions";
import type { CommandContext } from "../command-context.ts";
import { EXIT_CODE } from "../failures/program-error.ts";
import type { EventView } from "../output/event-views.ts";
import { columns } from "../output/line-layout.ts";
import type { Paint } from "../output/output.ts";
import { differenceText } from "../testing/test-report.ts";
import { type PlayedPrompt, sumOf, watchPrompt } from "./played-prompt.ts";
import { allowLiveTools, openStage, type ReplayRequest, type ReplayStage, replayView } from "./replay-stage.ts";

/** Sends a recorded session's prompts to another model. Returns the exit code: 1 if it failed. */
export async function compareModel(request: ReplayRequest, context: CommandContext): Promise<number> {
  const stage = await openStage(request, context);
  const { signal, replay, prompts } = stage;
  const { isLive, isSure } = request;
  const allowed = isLive ? await allowLiveTools({ what: UNRECORDED_RUN, isSure, signal }, context) : "all";
  if (allowed === "none") return EXIT_CODE.done;
  const { comparison, model } = await openAsked(stage);
  try {
    const compared = await askAll(stage, comparison);
    if (signal.aborted) return context.interruption.exitCode ?? EXIT_CODE.done;
    const report = { model, compared, changes: replay.changes(prompts), left: prompts.length - compared.length };
    const { paint } = context;
    context.stdout.write(request.isJson ? comparisonReport(report) : comparisonText(report, paint));
    return compared.some(({ now }) => now.outcome === "error") ? EXIT_CODE.failed : EXIT_CODE.done;
  } finally {
    await comparison.close();
  }
}

const UNRECORDED_RUN = "calls that were not recorded run for real, with all their effects";

async function openAsked({ request, context, signal, run, replay }: ReplayStage): Promise<{
  readonly comparison: Comparison;
  /** As `provider/name`. */
  readonly model: string;
}> {
  const { isLive } = request;
  const { directory } = run;
  const onWarning = warn(context);
  const agent = await agentOptions(run, { frontEnd: context, onWarning, signal });
  const hasModules = directory.definition.modules.length > 0;
  if (hasModules && !isLive) onWarning("the modules of the agent are left out; --live-tools loads them");
  if (!isLive && serversOfDirectory(directory).length > 0)
    onWarning("the MCP servers of the agent are left out; --live-tools starts them");
  const comparison = await openComparison({ recording: replay.recording, agent, isLive });
  return { comparison, model: `${agent.model.provider}/${agent.model.name}` };
}

/** Sends the prompts one by one and stops at the first failure. */
async function askAll(stage: ReplayStage, comparison: Comparison): Promise<readonly ComparedPrompt[]> {
  const { request, context, signal, prompts } = stage;
  const { stdout } = context;
  const view = replayView(stage);
  const compared: ComparedPrompt[] = [];
  try {
    for (const prompt of prompts) {
      const one = await ask(prompt, { stage, comparison, view });
      if (signal.aborted) break;
      compared.push(one);
      view.end();
      if (!request.isJson) stdout.write(await answerComparison(one, context.paint));
      if (one.now.outcome === "error") break;
    }
  } finally {
    view.end();
  }
  return compared;
}

interface Asking {
  readonly stage: ReplayStage;
  readonly comparison: Comparison;
  readonly view: EventView;
}

async function ask(
  prompt: RecordedPrompt,
  { stage: { replay, signal }, comparison, view }: Asking,
): Promise<ComparedPrompt> {
  const recorded = await watchPrompt(prompt, replay.play(prompt), SILENT);
  const before = { ...comparison.calls };
  const now = await watchPrompt(prompt, comparison.ask(prompt, signal), view);
  const { recorded: answered, others } = comparison.calls;
  return { recorded, now, calls: { recorded: answered - before.recorded, others: others - before.others } };
}

/** Only the recording's result is shown. */
const SILENT: EventView = { show() {}, note() {}, showAnswer() {}, showUsage() {}, end() {} };

/** A recorded prompt and its run with another model. */
interface ComparedPrompt {
  readonly recorded: PlayedPrompt;
  readonly now: PlayedPrompt;
  /** How the other model's calls were answered. */
  readonly calls: CallCounts;
}

/** The result of a comparison. */
interface ComparisonReport {
  /** The other model, as `provider/name`. */
  readonly model: string;
  readonly compared: readonly ComparedPrompt[];
  readonly changes: readonly AgentChange[];
  /** Prompts that were not sent. */
  readonly left: number;
}

/** How an answer differs from the recorded one, and how its calls were answered. */
async function answerComparison({ recorded, now, calls }: ComparedPrompt, paint: Paint): Promise<string> {
  const lines = recorded.answer === now.answer ? [] : await textDifference(recorded.answer, now.answer);
  const title = lines.length === 0 ? "the same answer" : "a different answer (- recorded, + now)";
  const others = calls.others === 0 ? "" : `; ${counted(calls.others, "call")} not recorded`;
  return [
    paint("dim", `${title}${others}`),
    ...lines.map((line) => `    ${differenceText(line, paint)}`.trimEnd()),
    "",
    "",
  ].join("\n");
}

const HEAD = ["prompt", "answer", "turns", "tool calls", "tokens", "cost"] as const;

/** A table of all prompts: the recorded and the new result. */
function comparisonText({ model, compared, changes, left }: ComparisonReport, paint: Paint): string {
  const rows = compared.map(({ recorded, now }) => [
    String(recorded.number),
    recorded.answer === now.answer ? "same" : "other",
    ...figures(recorded, now),
  ]);
  const sum = figures(sumOf(compared.map((one) => one.recorded)), sumOf(compared.map((one) => one.now)));
  const all = compared.length > 1 ? [["all", "", ...sum]] : [];
  const table = columns([{ cells: HEAD, colour: "bold" }, ...[...rows, ...all].map((cells) => ({ cells }))], paint);
  return [
    `recorded → ${plainLine(model)}`,
    ...table,
    ...(left === 0 ? [] : [paint("yellow", `${counted(left, "prompt")} skipped, since one failed`)]),
    ...changes.map((change) => paint("yellow", changeText(change))),
    "",
  ].join("\n");
}

type Figures = Pick<PlayedPrompt, "turns" | "tools" | "cost">;

const figures = (recorded: Figures, now: Figures): readonly string[] => [
  `${recorded.turns} → ${now.turns}`,
  `${recorded.tools} → ${now.tools}`,
  `${grouped(recorded.cost.usage.total)} → ${grouped(now.cost.usage.total)}`,
  `${costOf(recorded.cost)} → ${costOf(now.cost)}`,
];

const costOf = ({ usd, unpriced }: Cost): string => costText(usd, unpriced);

/** As JSON: one line after the events. */
const comparisonReport = ({ model, compared, changes, left }: ComparisonReport): string =>
  `${jsonText({
    type: "comparison_report",
    version: 1,
    model,
    prompts: compared.map(({ recorded, now, calls }) => ({
      prompt: recorded.number,
      input: recorded.input,
      recorded: partOf(recorded),
      now: partOf(now),
      calls,
    })),
    changes,
    left,
  })}\n`;

const partOf = ({ answer, outcome, turns, tools, cost }: PlayedPrompt): object => ({
  answer,
  outcome,
  turns,
  tools,
  cost,
});
