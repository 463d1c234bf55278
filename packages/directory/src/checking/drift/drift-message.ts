import { shortened } from "@mdx-ai/parser/visible-text";
import { memberText } from "../shapes/type-shape.ts";
import type { Question } from "./probes.ts";

/** The texts of a diagnostic about drift. */
export interface DriftText {
  readonly rule: "tool-execute" | "tool-context-drift" | "tool-params-drift";
  readonly message: string;
  readonly hint: string;
}

const LONGEST = 160;

/** Describes how the author's type differs from the tool's parameters; `answer` is that type as the compiler prints it. */
export function driftText(question: Question, answer: string, hasSchema: boolean): DriftText {
  switch (question.kind) {
    case "callable":
      return {
        rule: "tool-execute",
        message: `unexpected \`execute\` of type ${code(answer)}, expected a function`,
        hint: "write `async function execute(params, ctx) { … }`",
      };
    case "context":
      return {
        rule: "tool-context-drift",
        message: `unexpected context of type ${code(answer)}, expected one that accepts a \`ToolContext\``,
        hint: "it has `agentDir`, `cwd`, `signal`, `sessionId`, `callId`, `log(message)` and `update(partial)`",
      };
    case "rest":
      return { rule: "tool-params-drift", ...restText(question, answer, hasSchema) };
    case "type":
    case "member":
    case "presence":
      return { rule: "tool-params-drift", ...memberDrift(question, answer, hasSchema) };
    default:
      return question satisfies never;
  }
}

type Texts = Pick<DriftText, "message" | "hint">;

function restText(question: Extract<Question, { kind: "rest" }>, answer: string, hasSchema: boolean): Texts {
  const { path, known } = question;
  const named = known.length === 0 ? "no members" : `only ${known.map(code).join(", ")}`;
  return {
    message: `unexpected ${code(answer)} in ${whole(path)}, expected ${named}, as ${source(hasSchema)}`,
    hint: `remove it from the type, or add it to ${hasSchema ? "the `json schema`" : "a `<Param>`"}`,
  };
}

type MemberQuestion = Extract<Question, { kind: "type" | "member" | "presence" }>;

function memberDrift(question: MemberQuestion, answer: string, hasSchema: boolean): Texts {
  const wanted = code(question.kind === "type" ? labelled(question) : memberText(question.member));
  const says = `expected ${wanted}, as ${source(hasSchema)}`;
  const from = named(question.path, hasSchema);
  if (question.kind === "member") {
    return {
      message: `unexpected ${code(answer)} without ${code(question.member.name)} as ${whole(parentOf(question.path))}, ${says}`,
      hint: `add ${wanted} to the type, or remove ${from}`,
    };
  }
  const { path, member } = question;
  const place = member === undefined ? `as ${whole(path)}` : `in ${whole(parentOf(path))}`;
  return {
    message: `unexpected ${code(seenText(question, answer))} ${place}, ${says}`,
    hint: `change the type to ${wanted}, or change ${from}`,
  };
}

function seenText({ kind, member }: Exclude<MemberQuestion, { kind: "member" }>, answer: string): string {
  if (member === undefined) return answer;
  const { name, presence } = member;
  // A member that is optional on one side is required on the other.
  const isOptional = (presence === "optional") === (kind === "type");
  return `${name}${isOptional ? "?" : ""}: ${answer}`;
}

const labelled = ({ member, expected }: Extract<Question, { kind: "type" }>): string =>
  member === undefined ? expected : memberText(member);

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf(".")));

const whole = (path: string): string => (path === "" ? "the type of the parameters" : `the type of ${code(path)}`);

const source = (hasSchema: boolean): string => (hasSchema ? "its `json schema` says" : "its `<Param>` tags say");

/** What declares the parameter at a path. */
function named(path: string, hasSchema: boolean): string {
  const name = path.replaceAll("[]", "");
  if (hasSchema) return name === "" ? "the `json schema`" : `the member ${code(name)} of the \`json schema\``;
  return name === "" ? "the `<Param>` tags" : `the tag \`<Param name=${JSON.stringify(name.split(".").at(-1))}>\``;
}

function code(text: string): string {
  const line = text
    .replace(/\s+/g, " ")
    .replace(/; }/g, " }")
    .replace(/(\?: [^;{}]*) \| undefined/g, "$1")
    .trim();
  return `\`${shortened(line, LONGEST)}\``;
}
