import { isAmount, isList, isRecord } from "@mdx-ai/base";
import type { Answer, AnswerWords, Question } from "@mdx-ai/loop";
import type { ImageContent, UserMessage } from "@mdx-ai/models";
import type { UsageLimits } from "@mdx-ai/parser";
import { isJournalLine, type JournalLine } from "@mdx-ai/sessions";

/** The two objects of an agent: they have the same keys. */
export const serviceNames = (agent: string): { readonly controller: string; readonly session: string } => ({
  controller: `${agent}.controller`,
  session: `${agent}.session`,
});

/** The name of an agent in the engine, which takes letters, digits, `.`, `_` and `-`. */
export function serviceName(name: string): string {
  const plain = name.normalize("NFKD").replace(/[^A-Za-z0-9._-]+/g, "-");
  return /^[A-Za-z]/.test(plain) ? plain : `agent-${plain}`;
}

/** The key of a session's two objects. Each user has other sessions. */
export const objectKey = (user: string | undefined, session: string): string => `${user ?? ""}/${session}`;

/** The user and the session of a key. */
export function keyParts(key: string): { readonly user: string | undefined; readonly session: string } {
  const at = key.indexOf("/");
  const user = key.slice(0, at);
  return { user: user === "" ? undefined : user, session: key.slice(at + 1) };
}

/** What the engine knows of a session besides its lines. */
export interface SessionInfo {
  /** Unique: an earlier or later session with the same id has another key. */
  readonly key: string;
  /** Milliseconds since 1970. */
  readonly created: number;
  readonly title?: string;
}

export const isSessionInfo = (value: unknown): value is SessionInfo =>
  isRecord(value) &&
  typeof value["key"] === "string" &&
  isAmount(value["created"]) &&
  (value["title"] === undefined || typeof value["title"] === "string");

/** A user input for a session. */
export interface Submission {
  /** The prompt's id. */
  readonly id: string;
  readonly text: string;
  readonly images?: readonly ImageContent[];
  /** The command as typed, if the text was expanded from one. */
  readonly typed?: string;
  /** Replaces the agent's model: a reference such as `openai/gpt-4.1`. */
  readonly model?: string;
  readonly limits?: UsageLimits;
}

const isSubmission = (value: unknown): value is Submission =>
  isRecord(value) && typeof value["id"] === "string" && typeof value["text"] === "string";

/** The prompt that runs in a session. */
export interface RunningPrompt extends Submission {
  /** The invocation that runs it. */
  readonly invocation: string;
  /** How many `PromptMessage`s it was sent. */
  readonly sent: number;
  /** The input among them. */
  readonly steering: readonly UserMessage[];
}

const isRunningPrompt = (value: unknown): value is RunningPrompt =>
  isRecord(value) && typeof value["invocation"] === "string" && isSubmission(value);

/** The state of a controller. */
export interface ControllerState {
  readonly running?: RunningPrompt;
  readonly queue: readonly Submission[];
  /** The questions that wait for an answer, by id. */
  readonly questions: Readonly<Record<string, Question>>;
  /** The ids of the questions that were answered last. */
  readonly answered: readonly string[];
  /** As in `SessionInfo`; absent before the session was created. */
  readonly key?: string;
  /** The number of the next chunk of the session's lines; absent before the first one. */
  readonly next?: number;
}

export const IDLE: ControllerState = { queue: [], questions: {}, answered: [] };

export const isControllerState = (value: unknown): value is ControllerState =>
  isRecord(value) &&
  (value["running"] === undefined || isRunningPrompt(value["running"])) &&
  isList(value["queue"], isSubmission) &&
  isRecord(value["questions"]);

/** What `state` of a controller returns; `info` is absent if the session does not exist. */
export interface SessionState {
  readonly info?: SessionInfo;
  readonly state: ControllerState;
}

export const isSessionState = (value: unknown): value is SessionState =>
  isRecord(value) && (value["info"] === undefined || isSessionInfo(value["info"])) && isControllerState(value["state"]);

/** What a session's turn is started with. */
export interface TurnInput extends Submission {
  readonly key: string;
  /** The number of its first chunk of lines. */
  readonly first: number;
}

/** What a session's turn reports to its controller. */
export interface TurnEnd {
  readonly id: string;
  /** How many messages the turn has received. */
  readonly steered: number;
  /** The number of the next chunk of lines. */
  readonly next: number;
}

/** Lines that are added to a session between turns. */
export interface AddedLines {
  /** The number of their chunk. */
  readonly chunk: number;
  readonly lines: readonly JournalLine[];
}

/** A user's answer for a controller. */
export interface GivenAnswer {
  readonly id: string;
  readonly words: AnswerWords;
  readonly by: Answer["by"];
  readonly user?: string;
  readonly reason?: string;
}

/** What a controller says of an answer. */
export type AnswerOutcome =
  | { readonly outcome: "answered" }
  | { readonly outcome: "unknown"; readonly open: readonly string[] }
  | { readonly outcome: "late" }
  | { readonly outcome: "refused"; readonly message: string };

/** Whether a parsed JSON value is an outcome; its other fields are those of this program. */
export const isAnswerOutcome = (value: unknown): value is AnswerOutcome =>
  isRecord(value) && ["answered", "unknown", "late", "refused"].includes(String(value["outcome"]));

/** Which chunks of a session's lines to read. */
export interface LineRange {
  /** The number of the first one. */
  readonly after: number;
  /** The number behind the last one. Default: all. */
  readonly before?: number;
}

/** Lines of a session, in order. */
export interface SessionLines {
  /** The number of the next chunk. */
  readonly next: number;
  readonly lines: readonly JournalLine[];
}

export const isSessionLines = (value: unknown): value is SessionLines =>
  isRecord(value) && isAmount(value["next"]) && isList(value["lines"], isJournalLine);
