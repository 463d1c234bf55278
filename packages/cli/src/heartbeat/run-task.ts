import { openRun, prepareRun, readTrusted } from "@mdx-ai/directory";
import { jsonText, plainText, withNewline } from "@mdx-ai/directory/text";
import { type AgentEvent, answerText } from "@mdx-ai/loop";
import { HEARTBEAT_FAILURES, type HeartbeatLine, heartbeatHolder, LineFileStore } from "@mdx-ai/runtime/heartbeat";
import { readRunOptions } from "../arguments/run-options.ts";
import { serverListeners, trustOptions } from "../asking/command-questions.ts";
import { EXIT_CODE, interrupted } from "../failures/program-error.ts";
import type { HeartbeatRun } from "./heartbeat-run.ts";

type EndedLine = Extract<HeartbeatLine, { type: "ended" }>;

/** How often the end of a run is looked for, in milliseconds. */
const PAUSE = 100;

/**
 * Runs a task now: in the process that wakes the agent if there is one, else in this one. Prints the answer, or with `--json` how the run ended.
 * The exit code is 1 if it failed.
 */
export async function runTask(task: string, run: HeartbeatRun): Promise<number> {
  const { dataDirectory, args, context } = run;
  const signal = context.interruption.listen();
  const holder = heartbeatHolder(dataDirectory);
  const store = new LineFileStore(dataDirectory);
  store.take();
  const at = new Date().toISOString();
  const asking = { task, store, at, signal };
  const ask = (): Promise<void> => store.appendBeside([{ type: "asked", at, task }]);
  if (holder === undefined) return runHere(run, asking, ask);
  await ask();
  context.stderr.write(`mdx-ai: asked the process that wakes the agent (${holder})\n`);
  return showEnd(await endOf(asking), { args, context }, "");
}

interface Asking {
  readonly task: string;
  readonly store: LineFileStore;
  /** When it was asked for, ISO 8601 in UTC. */
  readonly at: string;
  readonly signal: AbortSignal;
}

async function runHere({ args, context }: HeartbeatRun, asking: Asking, ask: () => Promise<void>): Promise<number> {
  const { task, signal } = asking;
  const options = readRunOptions({ ...args, positionals: args.positionals.slice(0, 1) }, context);
  const directory = await readTrusted(options, trustOptions(context, signal));
  const prepared = await prepareRun(options, directory, context);
  let answer = "";
  const onBackgroundEvent = (event: AgentEvent): void => {
    if (event.type === "agent_end") answer = answerText(event.messages);
  };
  const say = (line: string): void => void context.stderr.write(`mdx-ai: ${line}\n`);
  await ask();
  const { close } = await openRun(prepared, {
    ...{ frontEnd: context, signal, onBackgroundEvent, onlyTask: task, wakes: true },
    onWarning: (warning) => say(`warning: ${context.keys.text(warning)}`),
    ...serverListeners({ context, say }),
  });
  try {
    return showEnd(await endOf(asking), { args, context }, answer);
  } finally {
    await close();
  }
}

/** Waits for the end of the task's next run. Rejects once `signal` fires. */
async function endOf({ task, store, at, signal }: Asking): Promise<EndedLine> {
  const isEnd = (line: HeartbeatLine): line is EndedLine =>
    line.type === "ended" && line.task === task && line.at >= at;
  while (!signal.aborted) {
    const ended = store.take().find(isEnd);
    if (ended !== undefined) return ended;
    await Bun.sleep(PAUSE);
  }
  throw interrupted();
}

function showEnd(
  { at, outcome, usd, tokens, reason }: EndedLine,
  { args, context }: Pick<HeartbeatRun, "args" | "context">,
  answer: string,
): number {
  const { stdout, stderr, keys } = context;
  const task = { at, outcome, usd, tokens, ...(reason !== undefined && { reason }) };
  if (args.switches.has("json")) stdout.write(`${jsonText(keys.value({ ...task, answer }), 2)}\n`);
  else {
    if (answer !== "") stdout.write(withNewline(plainText(answer)));
    if (answer === "" || outcome !== "done")
      stderr.write(`mdx-ai: ${outcome}${reason === undefined ? "" : `: ${keys.text(reason)}`}\n`);
  }
  return HEARTBEAT_FAILURES.includes(outcome) ? EXIT_CODE.failed : EXIT_CODE.done;
}
