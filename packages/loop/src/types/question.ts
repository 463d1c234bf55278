import type { JsonObject } from "@mdx-ai/base";
import type { McpQuestion } from "@mdx-ai/mcp";
import type { ToolCall } from "@mdx-ai/models";
import type { LimitName } from "./limit.ts";
import type { ApprovalAnswer, ApprovalRequest, PermissionDecision } from "./permission.ts";

/** A question to the user. JSON. */
export type Question = QuestionHead & QuestionSubject;

interface QuestionHead {
  /** Unique in its session. For the approval of a call: prompt, turn and call, each from 1, such as "3.1.2"; for a limit, turn 0 and a number. */
  readonly id: string;
  /** The id of the session. */
  readonly session: string;
  /** The agent that asks, if it works for the session's; the names from the session's to it, such as "lead › reviewer". */
  readonly agent?: string;
  /** When the default becomes the answer, in milliseconds since 1970; absent if there is no deadline. */
  readonly deadline?: number;
  /** The answer after the deadline. */
  readonly default: "no";
}

/** What a question is about. */
export type QuestionSubject = ApprovalSubject | Elicitation | SignIn | BudgetSubject;

/** May a call run, or a command reach beyond its sandbox? */
export interface ApprovalSubject {
  readonly kind: "approval";
  readonly request: ApprovalRequest;
  /** The hash of the tool's code; absent for a builtin. An answer applies to this code only. */
  readonly codeHash?: string;
  /** The tool's limits that are not enforced; absent if there are none. */
  readonly unheld?: string;
}

/** An MCP server asks for values, or asks the user to open an address. */
export interface Elicitation {
  readonly kind: "elicitation";
  readonly server: string;
  readonly request: McpQuestion;
}

/** An MCP server asks the user to sign in at an address. It is answered when the sign-in is complete. */
interface SignIn {
  readonly kind: "sign_in";
  readonly server: string;
  readonly url: string;
}

/** A prompt has reached a limit: may it spend more? */
export interface BudgetSubject {
  readonly kind: "budget";
  readonly limit: LimitName;
  /** What is spent, and what may be: turns, tokens or US dollars. */
  readonly spent: number;
  readonly value: number;
  /** How much more a yes allows. */
  readonly adds: number;
}

/** Asks the user about a reached limit. Any answer but "no" allows more. Rejects when `signal` fires. */
export type AskBudget = (budget: BudgetSubject, signal: AbortSignal) => Promise<ApprovalAnswer>;

/** The question about the approval of a call. */
export type ApprovalQuestion = QuestionHead & ApprovalSubject;

/** The approval that a call needs, and the deadline of its question, if any. */
export type NeededApproval = ApprovalSubject & Pick<QuestionHead, "deadline">;

/**
 * The source of the answer: the user at this process's terminal, by a command, through a server, in an editor, or through the program that
 * opened the agent; the deadline; the end of the prompt; or a failure to ask.
 */
export type AnsweredBy = "terminal" | "command" | "server" | "editor" | "program" | "deadline" | "stop" | "failure";

/** Runs `wait` and records that a step is waiting meanwhile. */
export type Waiting = <Result>(wait: () => Promise<Result>) => Promise<Result>;

/** A call whose tool may ask the user while it runs. */
export interface AskingCall {
  /** Prompt, turn and call, each from 1, such as "3.1.2". Ids of its questions begin with it. */
  readonly id: string;
  /** As in `StepContext`. */
  readonly waiting?: Waiting;
}

/** The answer to a question. JSON. */
export interface Answer {
  /** For an approval, one of its words; for a budget "once" or "no"; for any other question, the requested values or "no". */
  readonly answer: ApprovalAnswer["answer"] | JsonObject;
  /** With "no": the user's words for the model, or why no one could be asked. */
  readonly reason?: string;
  readonly by: AnsweredBy;
  /** The user who answered; absent if the session has only one. */
  readonly user?: string;
}

/** An answer as people and programs write it: `yes`, `no`, an offered word, JSON, or `name=value` words. */
export type AnswerWords = string | readonly string[] | JsonObject;

/** Decides whether a model's call may run. No method rejects: if a decision fails, the call is denied. */
export interface PermissionGate {
  /** Decides by the rules and earlier approvals; undefined if the user must be asked. */
  rule(call: ToolCall): Promise<PermissionDecision | undefined>;
  /** Returns the approval that a call needs, or a decision if no question is needed or no one can be asked. */
  question(call: ToolCall): Promise<PermissionDecision | NeededApproval>;
  /** Decides by the user's answer, and stores it if it applies to later calls. */
  settle(call: ToolCall, subject: ApprovalSubject, answer: Answer): Promise<PermissionDecision>;
}
