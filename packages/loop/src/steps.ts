import { isRecord, type UnknownRecord } from "@mdx-ai/base";
import {
  type AssistantMessage,
  isAssistantMessage,
  isToolResultMessage,
  isUserMessage,
  type ToolCall,
  type ToolResultMessage,
  type UserMessage,
} from "@mdx-ai/models";
import { type CompactionOutcome, isCompactionOutcome } from "./context/compaction-outcome.ts";
import { type FileRecord, isFileRecord } from "./file-record.ts";
import { isPromptBegin, isPromptEnd, type PromptBegin, type PromptEnd } from "./plan.ts";
import {
  type AddedContext,
  type AgentParts,
  type AskedCall,
  type BudgetQuestion,
  type Delivery,
  isAddedContext,
  isAgentParts,
  isAnswer,
  isAskedCall,
  isBudgetQuestion,
  isDelivery,
  isMeasuredRequest,
  isNewHead,
  isPermissionDecision,
  isPolicyResult,
  isQueuedText,
  isSpentElsewhere,
  isText,
  isUndoPlan,
  isWait,
  type MeasuredRequest,
  type NewHead,
  type PolicyResult,
  type QueuedText,
  type UndoPlan,
  type Wait,
} from "./step-results.ts";
import type { SpentElsewhere, Timed } from "./types/limit.ts";
import type { PermissionDecision } from "./types/permission.ts";
import type { Answer } from "./types/question.ts";

/**
 * The steps of a session: the format of its journal, in which each line is the result of a step. Prompts, turns, attempts of a
 * turn and all other numbers are counted from 1. Names are unique within a prompt, and among the session's own steps.
 */
type Steps = {
  /** The first step of a prompt: its input, its id and its plan. */
  readonly begin: Step<PromptBegin, []>;
  /** The texts that the model receives after the input: the note about the mode, skills, and additions by modules. */
  readonly beforePrompt: Step<AddedContext, []>;
  /** User input while the prompt ran. */
  readonly steer: Step<UserMessage, [number: number]>;
  /** A later process resumes an interrupted prompt. */
  readonly resume: Step<UnknownRecord, [number: number]>;
  /** Further user input joins the transcript, before the model request of a turn. */
  readonly deliver: Step<Delivery, [turn: number]>;
  /** A request is measured before an attempt. */
  readonly size: Step<MeasuredRequest, Attempted>;
  /** Older messages are summarised before an attempt. */
  readonly compaction: Step<CompactionOutcome, [...Attempted, number: number]>;
  /** The wait before another attempt to summarise. */
  readonly compactionRetry: Step<Wait, [...Attempted, number: number]>;
  /** A model request. Only the last attempt of a turn has the answer. */
  readonly model: Step<AssistantMessage, Attempted>;
  /** The wait before another attempt. */
  readonly retry: Step<Wait, Attempted>;
  /** The policy is applied to the calls of a turn. */
  readonly policy: Step<PolicyResult, [turn: number]>;
  /** The question about a call, whose step is named `tool`. */
  readonly question: Step<AskedCall, [tool: string]>;
  /** The user's answer to it. */
  readonly answer: Step<Answer, [tool: string]>;
  /** The decision that follows from the answer. */
  readonly permission: Step<PermissionDecision & Timed, [tool: string]>;
  /** The result of a call. Each call of an answer has its own step: see `callSteps`. */
  readonly tool: Step<ToolResultMessage, [turn: number, callId: string]>;
  /** What is spent elsewhere, before a request. */
  readonly spent: Step<SpentElsewhere, [number: number]>;
  /** The question about a reached limit. */
  readonly budgetQuestion: Step<BudgetQuestion, [number: number]>;
  /** The user's answer to it. */
  readonly budgetAnswer: Step<Answer, [number: number]>;
  /** A limit is raised; the result says what is spent and allowed now. */
  readonly raise: Step<SpentElsewhere, [number: number]>;
  /** Hooks of modules receive the results of a turn, and may add a text. */
  readonly afterTool: Step<AddedContext, [turn: number]>;
  /** Hooks of modules may add a text instead of the end of the prompt. */
  readonly beforeEnd: Step<AddedContext, [turn: number]>;
  /** Hooks of modules receive the prompt's outcome. */
  readonly afterPrompt: Step<UnknownRecord, []>;
  /** The last step of a prompt. */
  readonly end: Step<PromptEnd, []>;

  /** A builtin tool read a file, or is about to replace it. */
  readonly file: Step<FileRecord, [number: number]>;

  // Session steps, which belong to prompt 0.

  /** An input is put into the queue. */
  readonly queue: Step<QueuedText, [number: number]>;
  /** An input is removed from the queue. */
  readonly unqueue: Step<UnknownRecord, [number: number]>;
  /** The transcript ends with an earlier prompt from here on. */
  readonly head: Step<NewHead, [number: number]>;
  /** The files of later prompts are about to be restored. */
  readonly undo: Step<UndoPlan, [number: number]>;
  /** The agent's parts from here on. */
  readonly agent: Step<AgentParts, [number: number]>;
  /** The output of the code in the agent's prose, as Markdown. */
  readonly identity: Step<string, [hash: string]>;
  /** The state of a workspace and the instructions of its repository; named by a hash of the workspace's path. */
  readonly repository: Step<UnknownRecord, [hash: string]>;
  /** The user asked for a summary of the first messages. Named by their number and the number of rewinds before. */
  readonly sessionCompaction: Step<CompactionOutcome, [messages: number, rewinds: number, number: number]>;
  /** The signature of the user whose programs began the session. */
  readonly owner: Step<string, []>;
  /** The first line of a continued journal: a summary of the older ones. */
  readonly segment: Step<UnknownRecord, []>;
};

/** The kind of a step. */
export type StepKind = keyof Steps | "unknown";

type Attempted = [turn: number, attempt: number];

/** One kind of step. */
interface Step<Result, Parts extends readonly (number | string)[]> {
  /** The prefix of its names. */
  readonly prefix: string;
  /** What follows the prefix: nothing, the turn, another number, or a text. */
  readonly before: "nothing" | "turn" | "number" | "text";
  name(...parts: Parts): string;
  /** Whether a parsed JSON value can be the result of such a step; `name` is the step's name, if known. */
  accepts(value: unknown, name?: string): value is Result;
}

/** The one table of steps. */
export const STEPS: Steps = {
  begin: once("begin", isPromptBegin),
  beforePrompt: once("hook:beforePrompt", isAddedContext),
  steer: counted("steer", isUserMessage),
  resume: counted("resume", isRecord),
  deliver: ofTurn("deliver", isDelivery),
  size: ofAttempt("size", isMeasuredRequest),
  compaction: ofTry("compact", isCompactionOutcome),
  compactionRetry: ofTry("retry:compact", isWait),
  model: ofAttempt("model", isAssistantMessage),
  retry: ofAttempt("retry", isWait),
  policy: ofTurn("policy", isPolicyResult),
  question: ofCall("question", isAskedCall),
  answer: ofCall("answer", isAnswer),
  permission: ofCall("permission", isPermissionDecision),
  tool: { prefix: "tool", before: "turn", name: (turn, id) => `tool:${turn}:${id}`, accepts: isCallResult },
  spent: counted("spent", isSpentElsewhere),
  budgetQuestion: counted("question:budget", isBudgetQuestion),
  budgetAnswer: counted("answer:budget", isAnswer),
  raise: counted("raise", isSpentElsewhere),
  afterTool: ofTurn("hook:afterTool", isAddedContext),
  beforeEnd: ofTurn("hook:beforeEnd", isAddedContext),
  afterPrompt: once("hook:afterPrompt", isRecord),
  end: once("end", isPromptEnd),
  file: counted("file", isFileRecord),
  queue: counted("queue", isQueuedText),
  unqueue: counted("unqueue", isRecord),
  head: counted("head", isNewHead),
  undo: counted("undo", isUndoPlan),
  agent: counted("agent", isAgentParts),
  identity: ofHash("identity", isText),
  repository: ofHash("repository", isRecord),
  sessionCompaction: {
    prefix: "compact:messages",
    before: "text",
    name: (messages, rewinds, number) =>
      `compact:messages:${messages}${rewinds === 0 ? "" : `@${rewinds}`}${suffix("/", number)}`,
    accepts: isCompactionOutcome,
  },
  owner: once("owner", isText),
  segment: once("segment", isRecord),
};

type Guard<Result> = (value: unknown) => value is Result;

function once<Result>(prefix: string, accepts: Guard<Result>): Step<Result, []> {
  return { prefix, before: "nothing", name: () => prefix, accepts };
}

function counted<Result>(prefix: string, accepts: Guard<Result>): Step<Result, [number: number]> {
  return { prefix, before: "number", name: (number) => `${prefix}:${number}`, accepts };
}

function ofTurn<Result>(prefix: string, accepts: Guard<Result>): Step<Result, [turn: number]> {
  return { prefix, before: "turn", name: (turn) => `${prefix}:${turn}`, accepts };
}

function ofAttempt<Result>(prefix: string, accepts: Guard<Result>): Step<Result, Attempted> {
  return { prefix, before: "turn", name: (turn, attempt) => `${prefix}:${turn}${suffix("#", attempt)}`, accepts };
}

function ofTry<Result>(prefix: string, accepts: Guard<Result>): Step<Result, [...Attempted, number: number]> {
  const name = (turn: number, attempt: number, number: number): string =>
    `${prefix}:${turn}${suffix("#", attempt)}${suffix("/", number)}`;
  return { prefix, before: "turn", name, accepts };
}

/** A step before or after a call, named after the call's step. */
function ofCall<Result>(prefix: string, accepts: Guard<Result>): Step<Result, [tool: string]> {
  return { prefix: `${prefix}:tool`, before: "turn", name: (tool) => `${prefix}:${tool}`, accepts };
}

function ofHash<Result>(prefix: string, accepts: Guard<Result>): Step<Result, [hash: string]> {
  return { prefix, before: "text", name: (hash) => `${prefix}:${hash}`, accepts };
}

/** A number that is omitted if it is 1. */
function suffix(sign: string, number: number): string {
  return number === 1 ? "" : `${sign}${number}`;
}

/** A parsed step name. */
export interface ReadStep {
  readonly kind: StepKind;
  /** Its turn or number; 0 if it has none. */
  readonly number: number;
  /** The attempt of its turn, from 1. */
  readonly attempt: number;
}

/** Kind, turn or number, and attempt; a suffix distinguishes steps of one turn. */
const COUNTED_NAME = /^([a-zA-Z:]+):(\d{1,9})(?:#(\d{1,9}))?(?=[/:]|$)/;

const kinds = Object.keys(STEPS).filter(isKind);

const byPrefix: ReadonlyMap<string, keyof Steps> = new Map(kinds.map((kind) => [STEPS[kind].prefix, kind]));

/** Parses the name of a step. */
export function readStep(name: string): ReadStep {
  const found = COUNTED_NAME.exec(name);
  const kind = byPrefix.get(found?.[1] ?? name);
  const before = kind && STEPS[kind].before;
  if (kind && found && (before === "turn" || before === "number"))
    return { kind, number: Number(found[2]), attempt: Number(found[3] ?? 1) };
  if (kind && !found && before === "nothing") return { kind, number: 0, attempt: 1 };
  const texted = kinds.find((one) => STEPS[one].before === "text" && name.startsWith(`${STEPS[one].prefix}:`));
  return { kind: texted ?? "unknown", number: 0, attempt: 1 };
}

function isKind(text: string): text is keyof Steps {
  return text in STEPS;
}

/** Whether the steps of a kind belong to a turn. */
export const isOfTurn = (kind: StepKind): boolean => kind !== "unknown" && STEPS[kind].before === "turn";

/** Whether a parsed JSON value can be the result of a step; true for an unknown step. */
export function isResultOf(name: string, value: unknown): boolean {
  const { kind } = readStep(name);
  return kind === "unknown" || STEPS[kind].accepts(value, name);
}

/** A tool call and the step of its result. */
export interface CallStep {
  readonly call: ToolCall;
  readonly step: string;
}

/**
 * The tool calls of an answer, in order. Each has its own step, even if a model gives several calls the same id,
 * as some do.
 */
export function callSteps(message: AssistantMessage, turn: number): CallStep[] {
  const taken = new Set<string>();
  return message.content.flatMap((block) => {
    if (block.type !== "toolCall") return [];
    const name = STEPS.tool.name(turn, block.id);
    let step = name;
    for (let count = 2; taken.has(step); count++) step = `${name}#${count}`;
    taken.add(step);
    return [{ call: block, step }];
  });
}

/** Whether a value is the result of exactly the call of a step: the first call of its answer, or a later one with the same id. */
function isCallResult(value: unknown, step?: string): value is ToolResultMessage {
  if (!isToolResultMessage(value)) return false;
  if (step === undefined) return true;
  const [, name = ""] = /^tool:\d+:(.*)$/s.exec(step) ?? [];
  const { toolCallId: id } = value;
  return name === id || (name.startsWith(`${id}#`) && /^\d+$/.test(name.slice(id.length + 1)));
}
