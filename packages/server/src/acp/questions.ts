import type {
  CreateElicitationRequest,
  ElicitationPropertySchema,
  ElicitationSchema,
  PermissionOption,
  ToolCallUpdate,
} from "@agentclientprotocol/sdk";
import { isJsonObject, isRecord } from "@mdx-ai/base";
import { plainText } from "@mdx-ai/directory/text";
import { budgetText, signInText } from "@mdx-ai/directory/views/prompt-lines";
import type { AnswerWords, ApprovalRequest, Question } from "@mdx-ai/loop";
import type { Editor } from "./editor.ts";

/** A question of a session, and how the client knows the call that it is about. */
export interface AskedQuestion {
  readonly sessionId: string;
  readonly question: Question;
  readonly call?: ToolCallUpdate;
}

/**
 * Asks the user of the editor. Resolves to the answer, or to undefined if it comes from elsewhere: in a browser, or with the end of the
 * prompt. Rejects if the client has gone, or when `signal` withdraws the question.
 */
export async function askEditor(
  asked: AskedQuestion,
  editor: Editor,
  signal: AbortSignal,
): Promise<AnswerWords | undefined> {
  const { question } = asked;
  if (question.kind === "approval") return askApproval(asked, question.request, editor, signal);
  if (question.kind === "budget") return askBudget(asked, budgetText(question), editor, signal);
  const request = elicitationOf(asked, editor);
  if (request === undefined) return question.kind === "sign_in" ? showSignIn(asked, editor) : "no";
  const answer = await editor.elicit(request, signal);
  if (answer.action !== "accept") return "no";
  if (question.kind === "sign_in") return undefined;
  const content = "content" in answer ? answer.content : undefined;
  return isJsonObject(content) ? content : "yes";
}

async function askApproval(
  { sessionId, call }: AskedQuestion,
  request: ApprovalRequest,
  editor: Editor,
  signal: AbortSignal,
): Promise<AnswerWords | undefined> {
  const why = { type: "text" as const, text: plainText(`Why: ${reasonOf(request)}`) };
  const toolCall: ToolCallUpdate = {
    ...(call ?? { toolCallId: request.toolCallId, title: request.toolName, rawInput: request.args }),
    status: "pending",
    content: [...(call?.content ?? []), { type: "content", content: why }],
  };
  return chosen({ sessionId, toolCall, options: optionsOf(request) }, editor, signal);
}

/** Editors ask about calls alone, so this question looks like one. */
async function askBudget(
  { sessionId, question }: AskedQuestion,
  title: string,
  editor: Editor,
  signal: AbortSignal,
): Promise<AnswerWords | undefined> {
  const toolCall: ToolCallUpdate = { toolCallId: question.id, title, kind: "other", status: "pending" };
  const options: PermissionOption[] = [
    { optionId: "yes", name: "Allow more", kind: "allow_once" },
    { optionId: "no", name: "Stop", kind: "reject_once" },
  ];
  return chosen({ sessionId, toolCall, options }, editor, signal);
}

/** The option that the user chooses; undefined if the client cancels the prompt, which ends the question. */
async function chosen(
  request: Parameters<Editor["askPermission"]>[0],
  editor: Editor,
  signal: AbortSignal,
): Promise<AnswerWords | undefined> {
  const { outcome } = await editor.askPermission(request, signal);
  return outcome.outcome === "selected" ? outcome.optionId : undefined;
}

/** Why the user is asked; with what the sandbox blocked. */
function reasonOf({ access, reason }: ApprovalRequest): string {
  if (access.kind !== "sandbox") return reason;
  const { wanted } = access;
  switch (wanted.kind) {
    case "host":
      return `${reason}; it wants to reach ${wanted.host}`;
    case "write":
    case "read":
      return `${reason}; it wants to ${wanted.kind} ${wanted.path}`;
    case "outside":
      return `${reason}; it wants to run without a sandbox`;
  }
}

/** The most characters of a pattern in a button. */
const MAX_PATTERN = 60;

/** The answers that a question offers: the id of each is the word that `Session.answer` takes. */
function optionsOf({ pattern, prefix, offersEdits }: ApprovalRequest): PermissionOption[] {
  const scope = shortPattern(pattern);
  return [
    { optionId: "yes", name: "Allow", kind: "allow_once" },
    { optionId: "session", name: `Allow ${scope} in this session`, kind: "allow_always" },
    ...(prefix === undefined
      ? []
      : [{ optionId: "prefix", name: `Allow ${shortPattern(prefix)} in this session`, kind: "allow_always" as const }]),
    ...(offersEdits
      ? [{ optionId: "edits", name: "Allow all edits in this session", kind: "allow_always" as const }]
      : []),
    { optionId: "always", name: `Allow ${scope} always`, kind: "allow_always" },
    { optionId: "no", name: "Deny", kind: "reject_once" },
  ];
}

const shortPattern = (pattern: string): string =>
  pattern.length > MAX_PATTERN ? "this call" : plainText(pattern).replaceAll("\n", " ");

/** The request for an elicitation; undefined if the client cannot show it. */
function elicitationOf({ sessionId, question }: AskedQuestion, editor: Editor): CreateElicitationRequest | undefined {
  const { form, url } = editor.capabilities.elicitation ?? {};
  if (question.kind === "approval" || question.kind === "budget") return undefined;
  if (question.kind === "sign_in") {
    if (url == null) return undefined;
    const message = plainText(signInText(question.server, question.url));
    return { mode: "url", sessionId, elicitationId: question.id, url: question.url, message };
  }
  const { request, server } = question;
  const message = plainText(`${server}: ${request.message}`);
  if (request.type === "url") {
    return url == null ? undefined : { mode: "url", sessionId, elicitationId: question.id, url: request.url, message };
  }
  return form == null ? undefined : { mode: "form", sessionId, message, requestedSchema: formOf(request.schema) };
}

/** The schema of a form: MCP and this protocol write it in the same way. */
function formOf(schema: Readonly<Record<string, unknown>>): ElicitationSchema {
  const { properties, required } = schema;
  const names = Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
  const fields = isRecord(properties) ? Object.entries(properties) : [];
  return {
    type: "object",
    properties: Object.fromEntries(fields.map(([name, field]) => [name, fieldOf(field)])),
    required: names,
  };
}

function fieldOf(field: unknown): ElicitationPropertySchema {
  if (!isRecord(field)) return { type: "string" };
  const { type } = field;
  return { ...field, type: typeof type === "string" ? type : "string" };
}

/** Shows the address of a sign-in in the conversation of a client that cannot open it. */
async function showSignIn({ sessionId, question }: AskedQuestion, editor: Editor): Promise<undefined> {
  if (question.kind !== "sign_in") return;
  const text = `${plainText(signInText(question.server, question.url))}\n\n`;
  await editor.update(sessionId, { sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
}
