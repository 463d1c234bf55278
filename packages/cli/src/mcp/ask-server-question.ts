import type { JsonObject, JsonValue } from "@mdx-ai/base";
import { plainLine } from "@mdx-ai/directory/text";
import type { ApprovalAnswer } from "@mdx-ai/loop";
import type { AnswerServer, McpAnswer, McpQuestion } from "@mdx-ai/runtime";
import { type QuestionField, questionFields, typedValue } from "@mdx-ai/sessions";
import { type AnswerKey, type Asked, visibleLine } from "../approval/approval-content.ts";
import { cutEnd } from "../output/line-layout.ts";

/** Asks the user one question. Rejects when `signal` fires. */
export type AskOne = (asked: Asked, signal: AbortSignal) => Promise<ApprovalAnswer>;

/**
 * Asks the user what an MCP server wants to know: the fields of a form one by one, or to open an address. The user sees which server asks
 * and can decline at any time.
 */
export const answerWith =
  (ask: AskOne): AnswerServer =>
  (server, question, signal) =>
    question.type === "url" ? askToOpen(server, question, { ask, signal }) : askForm(server, question, { ask, signal });

interface Asking {
  readonly ask: AskOne;
  readonly signal: AbortSignal;
}

/** A prefix of the values of keys, so that typed text is never taken for a key. */
const MARK = "\u0000";
const DEFAULT = `${MARK}default`;
const YES = `${MARK}yes`;
const NO = `${MARK}no`;
const DECLINED = `${MARK}decline`;
/** The value of an option is its position. */
const sayingOf = (position: number): string => `${MARK}${position}`;

const DECLINE: AnswerKey = { key: "d", meaning: "decline", answer: "no", says: DECLINED };

async function askToOpen(
  server: string,
  { message, url }: Extract<McpQuestion, { type: "url" }>,
  { ask, signal }: Asking,
): Promise<McpAnswer> {
  const content = {
    title: `The MCP server ${visibleLine(server)} wants you to open an address`,
    lines: [...linesOf(message), { text: visibleLine(url) }],
    rest: [],
    reason: "your browser opens the page; mdx-ai does not see what you enter",
  };
  const keys: Asked["keys"] = [{ key: "y", meaning: "I have opened it", answer: "once" }, DECLINE];
  const { answer, reason } = asReason(await ask({ content, keys, isBackground: false }, signal));
  if (answer === "once") return { action: "accept" };
  return { action: reason === DECLINED ? "decline" : "cancel" };
}

async function askForm(
  server: string,
  { message, schema }: Extract<McpQuestion, { type: "form" }>,
  { ask, signal }: Asking,
): Promise<McpAnswer> {
  const fields = questionFields(schema);
  const content: Record<string, JsonValue> = {};
  if (fields.length === 0) return askField({ server, message, ask, signal, at: "" });
  for (const [index, field] of fields.entries()) {
    const at = fields.length === 1 ? "" : ` (${index + 1} of ${fields.length})`;
    const answer = await askField({ server, message: index === 0 ? message : "", ask, signal, at, field });
    if (answer.action !== "accept") return answer;
    Object.assign(content, answer.content);
  }
  return { action: "accept", content };
}

interface FieldAsking extends Asking {
  readonly server: string;
  /** The server's message; "" if the user has already read it. */
  readonly message: string;
  /** Which of several fields this is. */
  readonly at: string;
  /** Absent if the server only asks for a confirmation. */
  readonly field?: QuestionField;
}

/** Returns an accepted value, or none for a field left empty. Asks again until the value is valid. */
async function askField(asking: FieldAsking): Promise<McpAnswer> {
  for (let problem = ""; ; ) {
    const { answer, reason } = asReason(await asking.ask(askedOf(asking, problem), asking.signal));
    if (answer === "once") return accepted(asking.field, undefined);
    if (reason === undefined) return { action: "cancel" };
    if (reason === DECLINED) return { action: "decline" };
    const typed = saidValue(reason, asking.field);
    if ("value" in typed) return accepted(asking.field, typed.value);
    problem = typed.problem;
  }
}

const asReason = (answer: ApprovalAnswer): { readonly answer: string; readonly reason?: string | undefined } =>
  answer.answer === "no" ? answer : { answer: answer.answer };

const accepted = (field: QuestionField | undefined, value: JsonValue | undefined): McpAnswer => {
  const content: JsonObject = field === undefined || value === undefined ? {} : { [field.name]: value };
  return { action: "accept", content };
};

function saidValue(said: string, field: QuestionField | undefined): ReturnType<typeof typedValue> {
  if (field === undefined) return { problem: "" };
  if (said === DEFAULT && field.default !== undefined) return { value: field.default };
  if (said === YES || said === NO) return { value: said === YES };
  const option = field.options.find((_, index) => said === sayingOf(index));
  return option === undefined ? typedValue(said, field) : { value: option.value };
}

function askedOf({ server, message, at, field }: FieldAsking, problem: string): Asked {
  const name = `The MCP server ${visibleLine(server)} asks`;
  const title = field === undefined ? `${name} for your consent` : `${name}: ${brief(field.title, TITLE)}${at}`;
  const described = field === undefined ? [] : [...wholeLines(field), ...linesOf(field.description)];
  const wrong = problem === "" ? [] : linesOf(`Invalid answer: ${problem}`);
  return {
    content: {
      title,
      lines: [...linesOf(message), ...described, ...optionLines(field), ...wrong],
      rest: [],
      reason: "a tool of this server is waiting; your answer goes to the server",
    },
    keys: keysOf(field),
    isBackground: false,
    asks: "Your answer:",
  };
}

/** Columns of a server's text outside the frame. Longer text would wrap onto rows that look like part of the question. */
const TITLE = 50;
const LABEL = 24;

/** The start of a server's text, on one line. */
const brief = (text: string, columns: number): string => cutEnd(visibleLine(text).replace(/\s+/g, " ").trim(), columns);

const isBrief = (text: string, columns: number): boolean => brief(text, columns) === text.trim();

/** Shows in the frame the texts that the title and answers cut off. */
function wholeLines(field: QuestionField): Asked["content"]["lines"] {
  const { title, options } = field;
  const keyed = hasKeys(field) ? options : [];
  const given = field.default === undefined ? "" : defaultText(field.default);
  return [
    ...(isBrief(title, TITLE) ? [] : linesOf(title)),
    ...keyed.flatMap(({ label }, index) => (isBrief(label, LABEL) ? [] : linesOf(`${index + 1}: ${label}`))),
    ...(isBrief(given, LABEL) ? [] : linesOf(`u: ${given}`)),
  ];
}

/** More options than single digits. */
const MAX_KEYS = 9;

const hasKeys = ({ type, options }: QuestionField): boolean => type === "choice" && options.length <= MAX_KEYS;

const optionLines = (field: QuestionField | undefined): Asked["content"]["lines"] =>
  field === undefined || field.options.length === 0 || hasKeys(field)
    ? []
    : linesOf(
        `${field.type === "choices" ? "Any of" : "One of"}: ${field.options.map(({ label }) => label).join(", ")}`,
      );

function keysOf(field: QuestionField | undefined): Asked["keys"] {
  if (field === undefined) return [{ key: "y", meaning: "yes", answer: "once" }, DECLINE];
  const given: readonly AnswerKey[] =
    field.default === undefined
      ? []
      : [{ key: "u", meaning: `use ${brief(defaultText(field.default), LABEL)}`, answer: "no", says: DEFAULT }];
  const empty: readonly AnswerKey[] = field.isRequired ? [] : [{ key: "s", meaning: "leave it empty", answer: "once" }];
  return [...valueKeys(field), ...given, ...empty, DECLINE];
}

function valueKeys(field: QuestionField): readonly AnswerKey[] {
  if (hasKeys(field)) {
    return field.options.map(({ label }, index) => ({
      key: `${index + 1}`,
      meaning: brief(label, LABEL),
      answer: "no",
      says: sayingOf(index),
    }));
  }
  if (field.type === "boolean") {
    return [
      { key: "y", meaning: "yes", answer: "no", says: YES },
      { key: "n", meaning: "no", answer: "no", says: NO },
    ];
  }
  return [{ key: "t", meaning: "type it", answer: "no", asksReason: true }];
}

const defaultText = (value: JsonValue): string => (typeof value === "string" ? value : JSON.stringify(value));

const linesOf = (text: string): Asked["content"]["lines"] =>
  text
    .split("\n")
    .filter((line) => plainLine(line) !== "")
    .map((line) => ({ text: visibleLine(line) }));
