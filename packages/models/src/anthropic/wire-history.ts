import { claimResults } from "../history/claim-results.ts";
import { sentName } from "../history/sent-name.ts";
import { takeId } from "../history/take-id.ts";
import type { AssistantContent, AssistantMessage, Message, ToolCall } from "../types/message.ts";
import { RefusedThinking } from "./refused-thinking.ts";
import { sentContent } from "./sent-content.ts";
import { toolResultBlock, userBlocks } from "./user-blocks.ts";
import type { WireAssistantBlock, WireMessage, WireUserBlock } from "./wire-message.ts";

/** Calls with the ids under which they are sent. */
type WireIds = ReadonlyMap<ToolCall, string>;

/** What came after an answer. */
type Follower = Exclude<Message, AssistantMessage>;

/**
 * Converts histories to what Anthropic accepts: roles alternate, every tool use is answered in the very next message,
 * results stand first there, no text is empty, ids are unique. What has no place is left out: results that answer
 * nothing, calls and thinking of an answer that broke off. The same history gives the same messages, and a longer one
 * begins with them.
 *
 * A history mostly grows at its end, so that what was converted for the last request is used again.
 */
export class WireHistory {
  /** What was converted: all of it but for the followers of the last answer, whose message is not complete yet. */
  #messages: readonly Message[] = [];
  #wire: WireMessage[] = [];
  #takenIds = new Set<string>();
  #openCalls: WireIds = new Map();
  #followers: Follower[] = [];
  readonly #refused = new RefusedThinking();

  /** The failure of a request with this body as whoever asked is to be told; what was refused is sent no more. */
  learn(error: unknown, body: string): unknown {
    const learnt = this.#refused.learn(error, body);
    if (learnt !== error) this.#forget();
    return learnt;
  }

  of(messages: readonly Message[]): readonly WireMessage[] {
    if (!this.#messages.every((message, place) => message === messages[place])) this.#forget();
    for (let place = this.#messages.length; place < messages.length; place++) this.#take(messages[place]);
    this.#messages = messages.slice();
    const wire = this.#wire.slice();
    this.#answer(wire);
    return wire;
  }

  #take(message: Message | undefined): void {
    if (message?.role === "assistant") this.#begin(message);
    else if (message !== undefined) this.#followers.push(message);
  }

  #begin(assistant: AssistantMessage): void {
    this.#answer(this.#wire);
    const content = sentContent(assistant, this.#refused);
    const calls = content.filter((block) => block.type === "toolCall");
    const ids: WireIds = new Map(calls.map((call) => [call, takeId(cleanId(call.id), this.#takenIds)]));
    add(this.#wire, { role: "assistant", content: content.map((block) => assistantBlock(block, ids)) });
    this.#openCalls = ids;
    this.#followers = [];
  }

  /** Adds what followed the last answer. */
  #answer(wire: WireMessage[]): void {
    add(wire, {
      role: "user",
      content: [...resultBlocks(this.#openCalls, this.#followers), ...inputBlocks(this.#followers)],
    });
  }

  #forget(): void {
    this.#messages = [];
    this.#wire = [];
    this.#takenIds = new Set();
    this.#openCalls = new Map();
    this.#followers = [];
  }
}

/** Adds a message, or its content to the last one of the same role. */
function add(wire: WireMessage[], message: WireMessage): void {
  if (message.content.length === 0) return;
  const last = wire.at(-1);
  if (last?.role === "user" && message.role === "user") {
    wire[wire.length - 1] = { role: "user", content: [...last.content, ...message.content] };
  } else if (last?.role === "assistant" && message.role === "assistant") {
    wire[wire.length - 1] = { role: "assistant", content: [...last.content, ...message.content] };
  } else {
    wire.push(message);
  }
}

/** An id as Anthropic accepts it. Other providers make ids of their own kinds. */
const cleanId = (id: string): string => id.replace(/[^a-zA-Z0-9_-]/g, "_");

function assistantBlock(block: AssistantContent, ids: WireIds): WireAssistantBlock {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text };
    case "thinking":
      return block.redacted === undefined
        ? { type: "thinking", thinking: block.thinking, signature: block.signature ?? "" }
        : { type: "redacted_thinking", data: block.redacted };
    case "toolCall":
      return { type: "tool_use", id: ids.get(block) ?? block.id, name: sentName(block.name), input: block.arguments };
  }
}

/** One result for each call, in the order of the calls. */
function resultBlocks(ids: WireIds, followers: readonly Follower[]): readonly WireUserBlock[] {
  const results = claimResults(ids.keys(), followers);
  return [...ids.values()].map((id, place) => toolResultBlock(id, results[place]));
}

/** What the user said. A message that says nothing has its place all the same: without it the roles would not alternate. */
function inputBlocks(followers: readonly Follower[]): readonly WireUserBlock[] {
  const inputs = followers.filter((message) => message.role === "user").map(({ content }) => userBlocks(content));
  return inputs.flatMap((blocks) => (blocks.length === 0 ? [{ type: "text" as const, text: "(empty)" }] : blocks));
}
