import { defined, isJsonObject, type JsonObject, type JsonValue, jsonValue } from "@mdx-ai/base";
import { problemText, unlocated, validate } from "@mdx-ai/base/schema";
import type {
  Answer,
  AnsweredBy,
  AnswerWords,
  ApprovalAnswer,
  ApprovalSubject,
  Elicitation,
  Question,
} from "@mdx-ai/loop";
import { AnswerError } from "./question-errors.ts";
import { formSchema, type QuestionField, questionFields, typedValue } from "./question-fields.ts";

/** Who answers, and how. */
export interface Answering {
  readonly by: AnsweredBy;
  /** As in `Answer`. */
  readonly user?: string | undefined;
  /** With "no": the user's words for the model. */
  readonly reason?: string | undefined;
}

/** Parses words as an answer to a question. Throws `AnswerError` with the possible answers. */
export function answerOf(question: Question, words: AnswerWords, { by, user, reason }: Answering): Answer {
  const given = typeof words === "string" ? [words] : words;
  const who = { by, ...defined({ user }) };
  if (isList(given) && given.length === 1 && given[0] === "no") return { answer: "no", ...defined({ reason }), ...who };
  switch (question.kind) {
    case "approval":
      return { answer: approvalWord(question, given), ...who };
    case "budget":
      return { answer: yesWord(question, given), ...who };
    case "elicitation":
      return { answer: valuesOf(question, given), ...who };
    case "sign_in":
      throw new AnswerError(
        `question ${question.id} is answered when you have signed in at ${question.url}; write no to stop waiting`,
      );
  }
}

const isList = (words: readonly string[] | JsonObject): words is readonly string[] => Array.isArray(words);

/** The words that a question accepts, besides JSON and `name=value`. */
export function offeredWords(question: Question): readonly string[] {
  if (question.kind === "sign_in") return ["no"];
  if (question.kind === "budget") return ["yes", "no"];
  if (question.kind === "elicitation") return isAnsweredByYes(question) ? ["yes", "no"] : ["no"];
  const { prefix, offersEdits } = question.request;
  return [
    "yes",
    "no",
    "session",
    "always",
    ...(prefix === undefined ? [] : ["prefix"]),
    ...(offersEdits ? ["edits"] : []),
  ];
}

/** Whether "yes" is enough: the question is about an address, or a form whose required values all have defaults. */
const isAnsweredByYes = ({ request }: Elicitation): boolean =>
  request.type === "url" ||
  questionFields(request.schema).every((field) => !field.isRequired || field.default !== undefined);

/** The names of the values that a question accepts as `name=value`. */
export const offeredNames = (question: Question): readonly string[] =>
  question.kind === "elicitation" && question.request.type === "form"
    ? questionFields(question.request.schema).map(({ name }) => name)
    : [];

function approvalWord(
  question: Question & ApprovalSubject,
  given: readonly string[] | JsonObject,
): ApprovalAnswer["answer"] {
  const offered = offeredWords(question);
  const word = isList(given) && given.length === 1 ? (given[0] ?? "") : "";
  if (word === "yes" || word === "once") return "once";
  if (offered.includes(word) && isLasting(word)) return word;
  throw new AnswerError(
    `question ${question.id} takes one of ${offered.join(", ")}, but got ${JSON.stringify(shown(given))}`,
  );
}

function yesWord(question: Question, given: readonly string[] | JsonObject): "once" {
  if (isList(given) && given.length === 1 && (given[0] === "yes" || given[0] === "once")) return "once";
  throw new AnswerError(`question ${question.id} takes yes or no, but got ${JSON.stringify(shown(given))}`);
}

const isLasting = (word: string): word is "session" | "always" | "prefix" | "edits" =>
  ["session", "always", "prefix", "edits"].includes(word);

const shown = (given: readonly string[] | JsonObject): string =>
  isList(given) ? given.join(" ") : JSON.stringify(given);

/** The values of a form: given ones, then defaults. */
function valuesOf({ id, request }: Question & Elicitation, given: readonly string[] | JsonObject): JsonObject {
  const isYes = isList(given) && given.length === 1 && given[0] === "yes";
  if (request.type === "url") {
    if (isYes) return {};
    throw new AnswerError(`question ${id}: answer yes when you have opened ${request.url}, or no`);
  }
  const fields = questionFields(request.schema);
  const values = { ...defaultsOf(fields), ...(isYes ? {} : isList(given) ? typedValues(id, fields, given) : given) };
  const { problems } = validate(formSchema(fields), unlocated(values), { noun: "value" });
  if (problems.length === 0) return values;
  const wrong = problems.map(problemText).join("; ");
  throw new AnswerError(`question ${id}: ${wrong}; write name=value for ${namesOf(fields) || "nothing"}, JSON, or no`);
}

const namesOf = (fields: readonly QuestionField[]): string => fields.map(({ name }) => name).join(", ");

const defaultsOf = (fields: readonly QuestionField[]): JsonObject =>
  Object.fromEntries(fields.flatMap((field) => (field.default === undefined ? [] : [[field.name, field.default]])));

/** One word of JSON, or `name=value` words. */
function typedValues(id: string, fields: readonly QuestionField[], words: readonly string[]): JsonObject {
  const [only = ""] = words;
  const json = words.length === 1 && only.trimStart().startsWith("{") ? jsonValue(only) : undefined;
  if (isJsonObject(json)) return json;
  return Object.fromEntries(words.map((word) => typedPair(id, fields, word)));
}

function typedPair(id: string, fields: readonly QuestionField[], word: string): readonly [string, JsonValue] {
  const [, name = "", text = ""] = /^([^=]+)=(.*)$/s.exec(word) ?? [];
  const field = fields.find((one) => one.name === name);
  if (field === undefined) {
    throw new AnswerError(
      `question ${id} takes no, JSON, or name=value for ${namesOf(fields) || "nothing"}, but got ${JSON.stringify(word)}`,
    );
  }
  const typed = typedValue(text, field);
  if ("problem" in typed) throw new AnswerError(`question ${id}: ${name}: ${typed.problem}`);
  return [name, typed.value];
}
