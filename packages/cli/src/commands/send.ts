import { recordOf, shellWord } from "@mdx-ai/base";
import { jsonText, plainLine, plainText, safeJson, withNewline } from "@mdx-ai/directory/text";
import type { AgentEvent, Question } from "@mdx-ai/loop";
import type { ParsedArguments } from "../arguments/command-spec.ts";
import { textOption } from "../arguments/option-values.ts";
import type { CommandContext } from "../command-context.ts";
import { EXIT_CODE, interrupted, ProgramError } from "../failures/program-error.ts";
import { TextView } from "../output/event-views.ts";
import { endOf, promptEnds } from "../prompting/prompt-end.ts";
import { promptText } from "../prompting/prompt-text.ts";
import {
  BrokenConnectionError,
  ConnectionError,
  isAddress,
  type ServerClient,
  serverClient,
} from "../serving/server-client.ts";

/** `mdx-ai send`: sends a prompt to a running server and prints the answer. */
export async function runSend(args: ParsedArguments, context: CommandContext): Promise<number> {
  const [target = ".", given = "-"] = args.positionals;
  const signal = context.interruption.listen();
  const client = await serverClient(target, args, context);
  const text = await promptText(given, context, signal);
  if (signal.aborted) throw interrupted();
  const session = textOption(args, "session", "the id of a session") ?? "main";
  const prompts = `sessions/${encodeURIComponent(session)}/prompts`;
  const { promptId } = recordOf(await client.json("POST", prompts, { text }).catch(withHint(false, session, target)));
  const sent: Sent = { client, session, prompt: String(promptId), target };
  if (args.switches.has("no-wait")) {
    context.stdout.write(`${plainLine(sent.prompt)}\n`);
    return EXIT_CODE.done;
  }
  const show = args.switches.has("json") ? showEvents : showAnswer;
  return show(sent, context, signal).catch(withHint(true, session, target));
}

/** Adds to the error of a connection what became of the prompt. */
const withHint =
  (isAccepted: boolean, session: string, target: string) =>
  (cause: unknown): never => {
    if (!(cause instanceof (isAccepted ? ConnectionError : BrokenConnectionError))) throw cause;
    const where = isAddress(target)
      ? `session ${session} of the server`
      : `mdx-ai sessions ${shellWord(target)} show ${shellWord(session)}`;
    const fate = isAccepted
      ? `the server has stored the prompt, and continues it once it runs again; ${where} shows the answer`
      : `${where} shows whether the server has stored the prompt`;
    throw new ProgramError(`${cause.message}; ${fate}`, EXIT_CODE.failed, { cause });
  };

interface Sent {
  readonly client: ServerClient;
  readonly session: string;
  /** The prompt's id. */
  readonly prompt: string;
  /** As on the command line. */
  readonly target: string;
}

async function showAnswer(sent: Sent, context: CommandContext, signal: AbortSignal): Promise<number> {
  const view = new TextView(context.stderr, context.environment, (question) => answerHint(question, sent.target));
  const events = async function* (): AsyncGenerator<AgentEvent> {
    for await (const [, event] of eventsOf(sent, signal)) yield event;
  };
  try {
    for await (const end of promptEnds(events(), view)) {
      const { exitCode, answer, problem } = endOf(end);
      view.end();
      context.stdout.write(withNewline(plainText(answer)));
      if (problem !== undefined) view.note(plainLine(problem));
      return exitCode;
    }
  } finally {
    view.end();
  }
  throw interrupted();
}

async function showEvents(sent: Sent, { stdout }: CommandContext, signal: AbortSignal): Promise<number> {
  let exitCode: number = EXIT_CODE.interrupted;
  for await (const [line, event] of eventsOf(sent, signal)) {
    stdout.write(`${safeJson(line)}\n`);
    if (event.type === "agent_end") exitCode = event.outcome === "done" ? EXIT_CODE.done : EXIT_CODE.failed;
  }
  return exitCode;
}

/** The events of the sent prompt. The prompt continues if the reader leaves. */
async function* eventsOf(
  { client, session, prompt }: Sent,
  signal: AbortSignal,
): AsyncGenerator<readonly [line: string, event: AgentEvent]> {
  let hasBegun = false;
  for await (const [line, event] of client.events(session, signal)) {
    hasBegun ||= event.type === "agent_start" && event.promptId === prompt;
    if (!hasBegun) continue;
    yield [line, event];
    if (event.type === "agent_end") return;
  }
}

const answerHint = ({ id, kind, session }: Question, target: string): string | undefined =>
  kind === "sign_in"
    ? undefined
    : `question ${id} is waiting for an answer: mdx-ai answer ${shellWord(target)} ${id} yes --session ${shellWord(session)} (or no)`;

/** `mdx-ai answer URL`: lists the questions of a server's session, or answers one. */
export async function answerAt(args: ParsedArguments, context: CommandContext): Promise<number> {
  const [target = "", id, ...words] = args.positionals;
  const client = await serverClient(target, args, context);
  const session = encodeURIComponent(args.values.get("session") ?? "main");
  if (id === undefined) {
    const { questions } = recordOf(await client.json("GET", `sessions/${session}/questions`));
    context.stdout.write(`${jsonText(questions, 2)}\n`);
    return EXIT_CODE.done;
  }
  const reason = args.values.get("reason");
  const answer = words.length === 1 ? words[0] : words;
  const path = `sessions/${session}/questions/${encodeURIComponent(id)}`;
  await client.json("POST", path, { answer, ...(reason !== undefined && { reason }) });
  context.stdout.write(`Answered ${plainLine(id)} of session ${plainLine(decodeURIComponent(session))}\n`);
  return EXIT_CODE.done;
}
