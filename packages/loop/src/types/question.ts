import type { JsonObject } from "@mdx-ai/base";
import type { McpQuestion } from "@mdx-ai/mcp";
import type { ToolCall } from "@mdx-ai/models";
import type { ApprovalAnswer, ApprovalRequest, PermissionDecision } from "./permission.ts";

/** Something that only the user can answer. JSON. */
export type Question = QuestionHead & QuestionSubject;

interface QuestionHead {
  /** Unique in its session. Of the approval of a call: the prompt, the turn and the call, each from 1, such as "3.1.2". */
  readonly id: string;
  /** The id of the session. */
  readonly session: string;
  /** When the question is answered by its default, in milliseconds since 1970; absent if it waits. */
  readonly deadline?: number;
  /** The answer if nobody gives another one. */
  readonly default: "no";
}

/** What a question is about. */
export type QuestionSubject = ApprovalSubject | Elicitation | SignIn;

/** May a call run, or a command reach beyond its sandbox? */
export interface ApprovalSubject {
  readonly kind: "approval";
  readonly request: ApprovalRequest;
  /** The hash of the tool's code; absent for a builtin. An answer holds for this code alone. */
  readonly codeHash?: string;
  /** The limits of the tool that nothing enforces; absent if there are none. */
  readonly unheld?: string;
}

/** An MCP server asks for values, or wants an address to be opened. */
export interface Elicitation {
  readonly kind: "elicitation";
  readonly server: string;
  readonly request: McpQuestion;
}

/** An MCP server wants the user to sign in at an address. It is answered when the sign-in is done. */
interface SignIn {
  readonly kind: "sign_in";
  readonly server: string;
  readonly url: string;
}

/** The question about the approval of a call. */
export type ApprovalQuestion = QuestionHead & ApprovalSubject;

/** The approval that a call needs, and the deadline of the question if it has one. */
export type NeededApproval = ApprovalSubject & Pick<QuestionHead, "deadline">;

/**
 * Who or what answered: the user at the terminal of this process, by a command, or through the program that opened the agent; the
 * deadline; the end of the prompt; or a failure to ask.
 */
export type AnsweredBy = "terminal" | "command" | "program" | "deadline" | "stop" | "failure";

/** Runs `wait`, and keeps that a step waits meanwhile. */
export type Waiting = <Result>(wait: () => Promise<Result>) => Promise<Result>;

/** A call whose tool may ask the user while it runs. */
export interface AskingCall {
  /** The prompt, the turn and the call, each from 1, such as "3.1.2". Ids of its questions begin so. */
  readonly id: string;
  /** As in `StepContext`. */
  readonly waiting?: Waiting;
}

/** The answer to a question. JSON. */
export interface Answer {
  /** Of an approval one of its words; of another question the values that it asks for, or "no". */
  readonly answer: ApprovalAnswer["answer"] | JsonObject;
  /** With "no": the user's words for the model, or why nobody could be asked. */
  readonly reason?: string;
  readonly by: AnsweredBy;
}

/** An answer as a person or a program writes it: `yes`, `no`, a word that the question offers, JSON, or `name=value` words. */
export type AnswerWords = string | readonly string[] | JsonObject;

/** Decides whether a model's call may run. None of its methods rejects: a call that cannot be decided is denied. */
export interface PermissionGate {
  /** Decides by the rules and earlier approvals; undefined if the user must be asked. */
  rule(call: ToolCall): Promise<PermissionDecision | undefined>;
  /** The approval that a call needs, or a decision if there is nothing to ask, or nobody. */
  question(call: ToolCall): Promise<PermissionDecision | NeededApproval>;
  /** Decides by the user's answer, and keeps it as far as it holds for later calls. */
  settle(call: ToolCall, subject: ApprovalSubject, answer: Answer): Promise<PermissionDecision>;
}
