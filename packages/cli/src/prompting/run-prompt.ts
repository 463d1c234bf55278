import type { CommandContext } from "../command-context.ts";
import { EXIT_CODE } from "../failures/exit-code.ts";
import { InterruptedError } from "../failures/interrupted-error.ts";
import { promptText } from "../input/prompt-text.ts";
import type { AgentRun } from "../opening/agent-run.ts";
import { chooseSession } from "../opening/choose-session.ts";
import { openRun, readTrusted } from "../opening/open-run.ts";
import type { EventView } from "../output/event-view.ts";
import { createJsonView } from "../output/json-view.ts";
import { promptSpending } from "../output/spending-text.ts";
import { TextView } from "../output/text-view.ts";
import { plainLine, plainText } from "../plain-text.ts";
import { endOf, type PromptEnd, watchPrompt } from "./prompt-end.ts";

export interface PromptRun {
  readonly run: AgentRun;
  /** As on the command line. */
  readonly prompt: string;
  readonly isJson: boolean;
}

/** Works off one prompt and gives the exit code: the answer to standard output, all else to standard error. */
export async function runPrompt({ run, prompt, isJson }: PromptRun, context: CommandContext): Promise<number> {
  const { stdout, stderr, environment } = context;
  const signal = AbortSignal.any([context.interruption.listen(), stdout.closed]);
  const directory = await readTrusted(run, context, signal);
  const text = await promptText(prompt, context, signal);
  if (signal.aborted) throw new InterruptedError();
  const view = isJson ? createJsonView(stdout, stderr) : new TextView(stderr, environment);
  const onWarning = (message: string): void => view.note(`warning: ${message}`);
  const session = chooseSession(run, directory);
  if (session !== undefined && session !== run.session) view.note(`session ${session}`);
  const chosen = session === undefined ? run : { ...run, session };
  const agent = await openRun(chosen, directory, { context, onWarning, wakes: false });
  try {
    if (agent.model.notice !== undefined) view.note(agent.model.notice);
    const end = await watchPrompt(agent.prompt(text, { signal }), view);
    view.end();
    // On one terminal the answer comes below the activity, and nothing of that may wipe it out.
    await stderr.flush();
    return await report(end, { isJson, view, context });
  } finally {
    view.end();
    await agent.close();
  }
}

interface Report {
  readonly isJson: boolean;
  readonly view: EventView;
  readonly context: CommandContext;
}

async function report(watched: PromptEnd, { isJson, view, context }: Report): Promise<number> {
  const { stdout, interruption } = context;
  if (watched.outcome === "aborted" && interruption.exitCode === undefined && stdout.closed.aborted) {
    return EXIT_CODE.done;
  }
  const { exitCode, answer, problem } = endOf(watched);
  if (!isJson) stdout.write(withNewline(plainText(answer)));
  // On one terminal what the answer cost comes below it.
  if (stdout.isTerminal) await stdout.flush();
  const spent = watched.spending && promptSpending(watched.spending, watched.turns);
  if (spent !== undefined) view.tellSpending(spent);
  if (problem !== undefined) view.note(plainLine(problem));
  return watched.outcome === "aborted" ? (interruption.exitCode ?? exitCode) : exitCode;
}

const withNewline = (text: string): string => (text === "" || text.endsWith("\n") ? text : `${text}\n`);
