import { shellWord } from "@mdx-ai/base";
import { agentFolder, questionsFolder } from "@mdx-ai/directory";
import { jsonText, plainLine } from "@mdx-ai/directory/text";
import { callText, ofAgent } from "@mdx-ai/directory/views/call-text";
import { budgetText } from "@mdx-ai/directory/views/prompt-lines";
import type { Question } from "@mdx-ai/loop";
import { answerWaiting, offeredNames, offeredWords, type QuestionFolders, waitingQuestions } from "@mdx-ai/sessions";
import type { ParsedArguments } from "../arguments/command-spec.ts";
import { agentData, NO_ANSWERS } from "../arguments/run-options.ts";
import type { CommandContext } from "../command-context.ts";
import { EXIT_CODE, ProgramError, UsageError } from "../failures/program-error.ts";

/** `mdx-ai answer`: lists the waiting questions in an agent's sessions, or answers one. Runs no code of the directory. */
export async function runAnswer(args: ParsedArguments, context: CommandContext): Promise<number> {
  const [directory = ".", ...words] = args.positionals;
  if (/^https?:\/\//i.test(directory)) return (await import("./send.ts")).answerAt(args, context);
  const folders = foldersOf(directory, args, context);
  const session = args.values.get("session");
  const isJson = args.switches.has("json");
  const open = waitingQuestions(folders, { session, now: Date.now() });
  if (words.length === 0) list(open, isJson, context);
  else answer({ open, words, folders, session, reason: args.values.get("reason"), isJson }, context);
  return EXIT_CODE.done;
}

function foldersOf(directory: string, args: ParsedArguments, context: CommandContext): QuestionFolders {
  const dataDirectory = agentData(directory, { args, isWriting: false }, context);
  const questionsDirectory = questionsFolder(agentFolder(directory, context), context);
  if (questionsDirectory !== undefined) return { dataDirectory, questionsDirectory };
  throw new UsageError(NO_ANSWERS);
}

/** A question as JSON. */
const record = (question: Question): Readonly<Record<string, unknown>> => ({
  ...{ id: question.id, session: question.session, kind: question.kind },
  ...(question.agent !== undefined && { agent: question.agent }),
  ...subjectOf(question),
  deadline: question.deadline === undefined ? null : new Date(question.deadline).toISOString(),
  default: question.default,
  answers: offeredWords(question),
});

function subjectOf(question: Question): Readonly<Record<string, unknown>> {
  switch (question.kind) {
    case "approval": {
      const { toolName: tool, args, access, reason, pattern } = question.request;
      return { tool, args, access, reason, pattern };
    }
    case "budget": {
      const { limit, spent, value, adds } = question;
      return { limit, spent, value, adds };
    }
    case "elicitation":
      return { server: question.server, request: question.request };
    case "sign_in":
      return { server: question.server, url: question.url };
  }
}

function list(open: readonly Question[], isJson: boolean, { stdout, stderr, keys }: CommandContext): void {
  if (isJson) stdout.write(`${jsonText(open.map(record), 2)}\n`);
  else if (open.length === 0) stderr.write("No question is waiting for an answer.\n");
  else stdout.write(open.map((question) => `${plainLine(keys.text(questionLine(question)))}\n`).join(""));
}

/** A question as one line, such as `3.1.1 main $ rm -r build: no rule allows it (yes, no, session, always)`. */
export function questionLine(question: Question): string {
  const { id, session, deadline } = question;
  const until = deadline === undefined ? "" : `; no after ${new Date(deadline).toISOString()}`;
  const names = offeredNames(question).map((name) => `${name}=…`);
  const words = [...names, ...offeredWords(question)];
  return `${id} ${session} ${ofAgent(question)}${subjectText(question)}${words.length > 0 ? ` (${words.join(", ")}${until})` : ""}`;
}

function subjectText(question: Question): string {
  switch (question.kind) {
    case "approval": {
      const { toolName, args, label, reason } = question.request;
      const { verb, lines } = callText({ toolName, args, ...(label && { label }) });
      return `${[verb, ...lines].join(" ")}: ${reason}`;
    }
    case "budget":
      return budgetText(question);
    case "elicitation":
      return `the MCP server ${question.server} asks: ${question.request.message}`;
    case "sign_in":
      return `the MCP server ${question.server} wants you to sign in: ${question.url}`;
  }
}

interface Answering {
  readonly open: readonly Question[];
  readonly words: readonly string[];
  readonly folders: QuestionFolders;
  readonly session: string | undefined;
  readonly reason: string | undefined;
  readonly isJson: boolean;
}

function answer({ open, words, folders, session, reason, isJson }: Answering, { stdout }: CommandContext): void {
  const { id, rest } = addressed(open, words);
  const given = answerWaiting(folders, { id, words: rest, reason, session, now: Date.now() });
  const { question } = given;
  const said = typeof given.answer.answer === "string" ? given.answer.answer : jsonText(given.answer.answer);
  if (isJson) stdout.write(`${jsonText({ id, session: question.session, answer: given.answer.answer }, 2)}\n`);
  else stdout.write(`Answered ${id} of session ${plainLine(question.session)}: ${plainLine(said)}\n`);
}

/** The question named by the first word, or the only one. */
function addressed(
  open: readonly Question[],
  words: readonly string[],
): { readonly id: string; readonly rest: readonly string[] } {
  const [first = "", ...rest] = words;
  if (QUESTION_ID.test(first)) {
    if (rest.length > 0) return { id: first, rest };
    throw new UsageError(
      `the answer to ${first} is missing; write: mdx-ai answer DIR ${first} yes|no|JSON|name=value…`,
    );
  }
  const [only, other] = open;
  if (only !== undefined && other === undefined) return { id: only.id, rest: words };
  const ids = open.map(({ id, session }) => `${id} --session ${shellWord(session)}`).join(", ");
  throw only === undefined
    ? new ProgramError("no question is waiting for an answer", EXIT_CODE.failed)
    : new UsageError(`several questions are waiting; name one: ${ids}`);
}

/** Ids of approvals and of questions outside a prompt's steps. */
const QUESTION_ID = /^(?:\d+(?:\.\d+)+|q-[\da-f]{8})$/;
