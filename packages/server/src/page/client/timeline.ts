import type { JsonObject } from "@mdx-ai/base";
import type { AgentEvent, Question, ToolLabel, ToolResult } from "@mdx-ai/loop";
import type { AssistantMessage, Message } from "@mdx-ai/models";

/** What a conversation shows, from its events. */
export interface Timeline {
  readonly blocks: readonly Block[];
  /** The open questions, by id. */
  readonly questions: ReadonlyMap<string, Question>;
  /** Whether a prompt runs. */
  readonly isRunning: boolean;
  /** What the prompts cost that have ended. */
  readonly usd: number;
  readonly tokens: number;
  /** Whether the cost of an answer is unknown. */
  readonly isUnpriced: boolean;
}

/** A part of a conversation. Texts are untrusted. */
export type Block = TextBlock | CallBlock | NoteBlock;

interface TextBlock {
  readonly kind: "user" | "answer";
  readonly text: string;
  readonly thinking: string;
  /** `data:` addresses. */
  readonly images: readonly string[];
  readonly isComplete: boolean;
}

export interface CallBlock {
  readonly kind: "call";
  readonly id: string;
  readonly name: string;
  readonly args: JsonObject;
  readonly label?: ToolLabel | undefined;
  readonly output: string;
  readonly state: "running" | "done" | "failed";
  /** The agents that work as this call, by their session. */
  readonly agents: ReadonlyMap<string, SubagentView>;
}

interface SubagentView {
  readonly name: string;
  readonly timeline: Timeline;
}

interface NoteBlock {
  readonly kind: "note";
  readonly text: string;
  readonly isBad: boolean;
}

export const EMPTY: Timeline = {
  ...{ blocks: [], questions: new Map(), isRunning: false },
  ...{ usd: 0, tokens: 0, isUnpriced: false },
};

/** The timeline after an event. */
export function after(timeline: Timeline, event: AgentEvent): Timeline {
  switch (event.type) {
    case "agent_start":
      return { ...timeline, isRunning: true };
    case "agent_end":
      return ended(timeline, event);
    case "message_start":
      return started(timeline, event.message);
    case "message_update":
      return updated(timeline, event);
    case "message_end":
      return event.message.role === "assistant" ? completed(timeline, event.message) : timeline;
    case "tool_execution_start": {
      const { toolCallId: id, toolName: name, args, label } = event;
      return withBlock(timeline, {
        kind: "call",
        id,
        name,
        args,
        label,
        output: "",
        state: "running",
        agents: new Map(),
      });
    }
    case "tool_execution_update":
      return withCall(timeline, event.toolCallId, { output: outputOf(event.partialResult) });
    case "tool_execution_end":
      return withCall(timeline, event.toolCallId, {
        ...{ output: outputOf(event.result), state: event.isError ? "failed" : "done" },
      });
    case "subagent_event":
      return withSubagent(timeline, event);
    case "question_asked":
      return { ...timeline, questions: new Map(timeline.questions).set(event.question.id, event.question) };
    case "question_answered": {
      const questions = new Map(timeline.questions);
      questions.delete(event.questionId);
      return { ...timeline, questions };
    }
    default: {
      const note = noteOf(event);
      return note === undefined ? timeline : withBlock(timeline, note);
    }
  }
}

const withBlock = (timeline: Timeline, block: Block): Timeline => ({
  ...timeline,
  blocks: [...timeline.blocks, block],
});

const withCall = (timeline: Timeline, id: string, change: Partial<CallBlock>): Timeline => {
  const index = timeline.blocks.findLastIndex((block) => block.kind === "call" && block.id === id);
  const call = timeline.blocks[index];
  if (call?.kind !== "call") return timeline;
  return { ...timeline, blocks: timeline.blocks.with(index, { ...call, ...change }) };
};

function withSubagent(
  timeline: Timeline,
  { toolCallId, agent: name, session, event }: Extract<AgentEvent, { type: "subagent_event" }>,
): Timeline {
  const call = timeline.blocks.findLast((block) => block.kind === "call" && block.id === toolCallId);
  if (call?.kind !== "call") return timeline;
  const before = call.agents.get(session)?.timeline ?? EMPTY;
  return withCall(timeline, toolCallId, {
    agents: new Map(call.agents).set(session, { name, timeline: after(before, event) }),
  });
}

function started(timeline: Timeline, message: Message): Timeline {
  if (message.role === "assistant") return withBlock(timeline, answerOf(message, false));
  if (message.role !== "user" || message.origin !== undefined) return timeline;
  const images = message.content.flatMap((part) =>
    part.type === "image" ? [`data:${part.mimeType};base64,${part.data}`] : [],
  );
  const text = message.typed ?? textOf(message.content);
  return withBlock(timeline, { kind: "user", text, thinking: "", images, isComplete: true });
}

/** Appends a piece to the answer that is being written. */
function updated(
  timeline: Timeline,
  { assistantMessageEvent: piece }: Extract<AgentEvent, { type: "message_update" }>,
): Timeline {
  const index = timeline.blocks.findLastIndex(({ kind }) => kind === "answer");
  const block = timeline.blocks[index];
  if (block?.kind !== "answer" || block.isComplete) return timeline;
  const change =
    piece.type === "text_delta"
      ? { text: block.text + piece.delta }
      : piece.type === "thinking_delta"
        ? { thinking: block.thinking + piece.delta }
        : {};
  return { ...timeline, blocks: timeline.blocks.with(index, { ...block, ...change }) };
}

function completed(timeline: Timeline, message: AssistantMessage): Timeline {
  const index = timeline.blocks.findLastIndex(({ kind }) => kind === "answer");
  const block = answerOf(message, true);
  const shown = index === -1 ? withBlock(timeline, block) : { ...timeline, blocks: timeline.blocks.with(index, block) };
  const { errorMessage, warning } = message;
  const note = errorMessage ?? warning;
  return note === undefined ? shown : withBlock(shown, { kind: "note", text: note, isBad: errorMessage !== undefined });
}

const answerOf = ({ content }: AssistantMessage, isComplete: boolean): TextBlock => ({
  ...{ kind: "answer", text: textOf(content), images: [], isComplete },
  thinking: content.flatMap((part) => (part.type === "thinking" ? [part.thinking] : [])).join("\n"),
});

function ended(
  timeline: Timeline,
  { outcome, denied, cost: { usd, unpriced, usage } }: Extract<AgentEvent, { type: "agent_end" }>,
): Timeline {
  const totals = {
    usd: timeline.usd + usd,
    tokens: timeline.tokens + usage.total,
    isUnpriced: timeline.isUnpriced || unpriced > 0,
  };
  const end = { ...timeline, ...totals, isRunning: false, questions: new Map() };
  if (denied !== undefined)
    return withBlock(end, { kind: "note", text: `A hook denied the prompt: ${denied}`, isBad: true });
  return outcome === "aborted" ? withBlock(end, { kind: "note", text: "Stopped", isBad: false }) : end;
}

function noteOf(event: AgentEvent): NoteBlock | undefined {
  switch (event.type) {
    case "prompt_resumed":
      return { kind: "note", text: "Resumed after an interruption", isBad: false };
    case "model_retry":
      return {
        kind: "note",
        text: `Asking again (${event.attempt} of ${event.attempts}): ${event.reason}`,
        isBad: true,
      };
    case "model_fallback":
      return { kind: "note", text: `${event.to} answers in place of ${event.from}: ${event.reason}`, isBad: true };
    case "request_adapted":
      return { kind: "note", text: `${event.change}: ${event.reason}`, isBad: false };
    case "context_compacted":
      return {
        kind: "note",
        text: `Older messages were summarized: ${event.before} → ${event.after} tokens`,
        isBad: false,
      };
    case "limit_reached":
      return { kind: "note", text: `The limit ${event.limit} of ${event.value} is reached`, isBad: true };
    default:
      return undefined;
  }
}

const textOf = (content: readonly { readonly type: string }[]): string =>
  content.flatMap((part) => ("text" in part && typeof part.text === "string" ? [part.text] : [])).join("\n");

const outputOf = ({ content }: ToolResult): string => textOf(content);
