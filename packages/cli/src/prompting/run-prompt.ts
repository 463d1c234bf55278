import { defined, shellWord } from "@mdx-ai/base";
import { openRun, type PreparedRun, prepareRun, type RunOptions, readTrusted, workspaceOf } from "@mdx-ai/directory";
import { jsonText, plainLine, plainText, withNewline } from "@mdx-ai/directory/text";
import { promptUsage } from "@mdx-ai/directory/views/prompt-lines";
import type { AskApproval, Question } from "@mdx-ai/loop";
import type { ImageContent } from "@mdx-ai/models";
import type { Agent } from "@mdx-ai/runtime";
import { offeredNames } from "@mdx-ai/sessions";
import { NO_ANSWERS } from "../arguments/run-options.ts";
import { serverListeners, trustOptions } from "../asking/command-questions.ts";
import type { CommandContext } from "../command-context.ts";
import { EXIT_CODE, interrupted, UsageError } from "../failures/program-error.ts";
import { createJsonView, type EventView, TextView } from "../output/event-views.ts";
import { dataWords } from "./data-words.ts";
import { endOf, type PromptEnd, promptEnds, promptReport } from "./prompt-end.ts";
import { promptText } from "./prompt-text.ts";

/** What standard output receives: the answer, one object about the prompt, or each event as a line of JSON. */
type OutputFormat = "text" | "json" | "events";

export interface PromptRun {
  readonly run: RunOptions;
  /** As on the command line. Without it, interrupted and queued prompts run. */
  readonly prompt: string | undefined;
  readonly format: OutputFormat;
  /** Whether to show the log on standard error. */
  readonly isDebug: boolean;
}

/**
 * Runs one prompt and returns the exit code. The answer goes to standard output, everything else to standard error. If standard output is
 * closed, the prompt stays interrupted.
 */
export async function runPrompt(prompt: PromptRun, context: CommandContext): Promise<number> {
  const { stdout, interruption } = context;
  const stop = interruption.listen();
  const isUnread = (): boolean => stdout.closed.aborted && interruption.exitCode === undefined;
  try {
    const exitCode = await openAndRun(prompt, stop, context);
    await stdout.flush();
    return isUnread() ? EXIT_CODE.outputClosed : exitCode;
  } catch (error) {
    await stdout.flush();
    if (isUnread()) return EXIT_CODE.outputClosed;
    throw error;
  }
}

async function openAndRun(
  { run: options, prompt, format, isDebug }: PromptRun,
  stop: AbortSignal,
  context: CommandContext,
): Promise<number> {
  const { stdout, stderr, environment } = context;
  const signal = AbortSignal.any([stop, stdout.closed]);
  const directory = await readTrusted(options, trustOptions(context, signal));
  const text = prompt === undefined ? undefined : await promptText(prompt, context, signal);
  if (signal.aborted) throw interrupted();
  const textView = format === "events" ? undefined : new TextView(stderr, environment, (question) => hintOn(question));
  const view = textView ?? createJsonView(context);
  const onWarning = (message: string): void => view.note(`warning: ${message}`);
  const joined = workspaceOf(options, directory)
    ? await withRepository({ options, directory }, context)
    : { options, directory };
  const run = await prepareRun(joined.options, joined.directory, context);
  const onApproval = prompt === "-" || textView === undefined ? undefined : approvalOn(textView, context);
  if (onApproval === undefined) requireAnswers(options, run.settings.questionsDirectory);
  const hintOn = (question: Question): string | undefined =>
    onApproval === undefined ? answerHint(question, options, context.user) : undefined;
  const onLog = isDebug ? { onLog: (line: string) => view.note(`debug: ${context.keys.text(line)}`) } : {};
  const ofServers = serverListeners({
    ...{ context, say: (line: string) => view.note(line) },
    ...(textView && { still: (work) => textView.still(work) }),
    ...(onApproval === undefined && { canAsk: false }),
  });
  const callbacks = { onWarning, ...onLog, ...onApproval, ...ofServers, wakes: false };
  const resumesUntrusted = options.isResumed;
  const { agent, close } = await openRun(run, { ...callbacks, frontEnd: context, signal, resumesUntrusted });
  const leave = (): void => {
    // A prompt that the user stopped still has to end.
    if (!stop.aborted) void agent.close();
  };
  stdout.closed.addEventListener("abort", leave, { once: true });
  try {
    if (run.session !== undefined && run.session !== options.session) view.note(`session ${run.session}`);
    if (agent.model.notice !== undefined) view.note(agent.model.notice);
    const input = await promptInput(text, { prompt, agent, run, context, onWarning });
    return await runWork({ agent, input, format, view, context, signal: stop });
  } finally {
    view.end();
    await close();
  }
}

interface PromptInput {
  readonly text: string;
  readonly images?: readonly ImageContent[];
}

interface PromptPlace {
  /** As on the command line. */
  readonly prompt: string | undefined;
  readonly agent: Agent;
  readonly run: PreparedRun;
  readonly context: CommandContext;
  onWarning(message: string): void;
}

/** The prompt with the files and MCP resources that its text on the command line mentions; others wrote what is piped in. */
async function promptInput(
  text: string | undefined,
  { prompt, agent, run, context, onWarning }: PromptPlace,
): Promise<PromptInput | undefined> {
  if (text === undefined || !prompt?.includes("@")) return text === undefined ? undefined : { text };
  const { Attachments } = await import("../terminal/input/sent-input.ts");
  const attachments = new Attachments({
    ...{ agent, folder: run.folder, home: context.environment["HOME"], warn: onWarning },
    session: () => agent.session().id,
    confirm: async () => false,
  });
  if (!attachments.isNamedIn(prompt)) return { text };
  const attached = await attachments.attach(prompt);
  return { text: text + attached.text.slice(prompt.length), images: attached.images };
}

/** The run with what the user agreed to use of the workspace's repository. */
async function withRepository(
  run: Pick<PreparedRun, "options" | "directory">,
  context: CommandContext,
): Promise<typeof run> {
  const repository = await import("../asking/repository-question.ts");
  return repository.withRepository(run, context);
}

/** Throws `UsageError` if a run without a terminal would wait for answers that nothing can give. */
function requireAnswers({ answersWithin, isEphemeral }: RunOptions, questionsDirectory: string | undefined): void {
  if (answersWithin === undefined || questionsDirectory !== undefined) return;
  if (isEphemeral)
    throw new UsageError("--ephemeral keeps no questions, so --wait-for-answers has no effect; leave one out");
  throw new UsageError(`${NO_ANSWERS}, so --wait-for-answers has no effect`);
}

/** How a question is answered that a run without a terminal waits for. */
function answerHint(question: Question, options: RunOptions, user: string | undefined): string | undefined {
  const { id, kind, session } = question;
  if (kind === "sign_in") return undefined;
  const answer = `mdx-ai answer ${shellWord(options.directory)}`;
  const place = ["--session", shellWord(session), ...dataWords(options, user)].join(" ");
  const names = offeredNames(question).map((name) => `${shellWord(plainLine(name))}=…`);
  return `question ${id} is waiting for an answer: ${answer} ${id} ${names.join(" ") || "yes"} ${place} (or no; ${answer} ${place} shows it)`;
}

/** Asks the user at the terminal; undefined without a terminal, so that such calls are denied. */
function approvalOn(
  view: TextView,
  { stderr, environment, canAsk }: CommandContext,
): { readonly onApproval: AskApproval } | undefined {
  if (!canAsk) return undefined;
  const onApproval: AskApproval = async (request, signal) => {
    const { createTerminalQuestions } = await import("../approval/ask-on-terminal.ts");
    asking ??= createTerminalQuestions({ stderr, environment, still: (work) => view.still(work) });
    return { ...(await asking(request, signal)), by: "terminal" };
  };
  let asking: AskApproval | undefined;
  return { onApproval };
}

interface Work {
  readonly agent: Agent;
  /** Without it, interrupted and queued prompts run. */
  readonly input: PromptInput | undefined;
  readonly format: OutputFormat;
  readonly view: EventView;
  readonly context: CommandContext;
  readonly signal: AbortSignal;
}

/** The exit code of the prompt, or of the first interrupted or queued prompt that failed. */
async function runWork(work: Work): Promise<number> {
  const { agent, input, view, signal } = work;
  const codes: number[] = [];
  for await (const end of promptEnds(
    input === undefined
      ? agent.session().resume({ signal })
      : agent.session().prompt(input.text, { ...defined({ images: input.images }), signal }),
    view,
  )) {
    if (input !== undefined && end.pendingPrompt !== undefined) reportPending(end, view);
    else codes.push(await report(end, work));
  }
  if (codes.length > 0) return codes.find((code) => code !== EXIT_CODE.done) ?? EXIT_CODE.done;
  if (signal.aborted) return report({ outcome: "aborted", turns: 0, time: 0 }, work);
  if (input !== undefined) return report({ outcome: "error", turns: 0, time: 0 }, work);
  view.note("nothing to resume");
  return EXIT_CODE.done;
}

/** Reports an earlier prompt. Its answer is not part of this run's output. */
function reportPending(end: PromptEnd, view: EventView): void {
  const { answer, problem } = endOf(end);
  view.showAnswer(answer);
  if (problem !== undefined) view.note(plainLine(problem));
}

async function report(watched: PromptEnd, { agent, format, view, context }: Work): Promise<number> {
  const { stdout, stderr, interruption } = context;
  view.end();
  // On a shared terminal the answer follows the activity, which would otherwise erase it.
  await stderr.flush();
  const { exitCode, answer, problem } = endOf(watched);
  if (format === "text") stdout.write(withNewline(plainText(answer)));
  if (format === "json") {
    const session = agent.session().id;
    stdout.write(`${jsonText(context.keys.value(promptReport(watched, session)), 2)}\n`);
  }
  // On a shared terminal the cost follows the answer.
  if (stdout.isTerminal) await stdout.flush();
  const spent = watched.cost && promptUsage(watched.cost, watched.turns, watched.time);
  if (spent !== undefined) view.showUsage(spent);
  if (problem !== undefined) view.note(plainLine(problem));
  return watched.outcome === "aborted" ? (interruption.exitCode ?? exitCode) : exitCode;
}
