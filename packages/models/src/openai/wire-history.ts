import { claimResults } from "../history/claim-results.ts";
import type { AssistantMessage, Message, ToolResultMessage } from "../types/message.ts";
import { wellFormedJson } from "../well-formed-json.ts";
import { CallIds } from "./call-ids.ts";
import { type Recipient, sentAnswer, sentCalls, type WireIds } from "./sent-answer.ts";
import { imagesMessage, toolMessage, toolMessageWithImages, userMessage } from "./sent-input.ts";
import type { WireMessage } from "./wire-message.ts";

/** What came after an answer. */
type Follower = Exclude<Message, AssistantMessage>;

/** What the model is made to say where it said nothing between a tool's result and the user's next words. */
const silence: WireMessage = { role: "assistant", content: "(no answer)" };

/**
 * Converts histories to what a server of this protocol accepts: every call is answered directly after the answer that
 * made it and in the order of the calls, no message is empty, ids are unique. What has no place is left out: results
 * that answer nothing, calls and thinking of an answer that broke off. The same history gives the same messages, and a
 * longer one begins with them.
 *
 * A history mostly grows at its end, so that what was converted for the last request is used again, as the very text.
 */
export class WireHistory {
  readonly #recipient: Recipient;
  /** What was converted: all of it but for the followers of the last answer, which may still become more. */
  #messages: readonly Message[] = [];
  #texts: string[] = [];
  #ids: CallIds;
  #openCalls: WireIds = new Map();
  #followers: Follower[] = [];
  /** Whether the last message of `#texts` is a tool's result. */
  #endsInResult = false;

  constructor(recipient: Recipient) {
    this.#recipient = recipient;
    this.#ids = new CallIds(recipient.dialect.callIds);
  }

  /** The messages as JSON, each a text. */
  of(messages: readonly Message[]): readonly string[] {
    if (!this.#messages.every((message, place) => message === messages[place])) this.#forget();
    for (const message of messages.slice(this.#messages.length)) this.#take(message);
    this.#messages = messages.slice();
    return [...this.#texts, ...this.#following().map(wellFormedJson)];
  }

  #take(message: Message): void {
    if (message.role === "assistant") this.#begin(message);
    else this.#followers.push(message);
  }

  #begin(message: AssistantMessage): void {
    this.#settle(this.#following());
    this.#openCalls = new Map(sentCalls(message).map((call) => [call, this.#ids.take(call.id)]));
    this.#followers = [];
    const answer = sentAnswer(message, this.#openCalls, this.#recipient);
    if (answer !== undefined) this.#settle([answer]);
  }

  #settle(messages: readonly WireMessage[]): void {
    this.#texts.push(...messages.map(wellFormedJson));
    const last = messages.at(-1);
    if (last !== undefined) this.#endsInResult = last.role === "tool";
  }

  /** What followed the last answer: results in the order of its calls, their images, then the user. */
  #following(): readonly WireMessage[] {
    const { dialect } = this.#recipient;
    const results = claimsOf(this.#openCalls, this.#followers);
    const toTool = dialect.resultImages === "inside" ? toolMessageWithImages : toolMessage;
    const answers = results.map(({ id, result }) => toTool(id, result));
    const images = dialect.resultImages === "after" ? imagesMessage(results.map(({ result }) => result)) : undefined;
    const said = this.#followers.flatMap((message) => (message.role === "user" ? [userMessage(message)] : []));
    const inputs = images === undefined ? said : [images, ...said];
    const isAfterResult = answers.length > 0 || this.#endsInResult;
    const isBridged = isAfterResult && inputs.length > 0 && !dialect.userAfterResult;
    return [...answers, ...(isBridged ? [silence] : []), ...inputs];
  }

  #forget(): void {
    this.#messages = [];
    this.#texts = [];
    this.#ids = new CallIds(this.#recipient.dialect.callIds);
    this.#openCalls = new Map();
    this.#followers = [];
    this.#endsInResult = false;
  }
}

/** A call's id as it is sent, and its result where there is one. */
interface Claim {
  readonly id: string;
  readonly result: ToolResultMessage | undefined;
}

/** One result for each call, in the order of the calls. */
function claimsOf(calls: WireIds, followers: readonly Follower[]): readonly Claim[] {
  const results = claimResults(calls.keys(), followers);
  return [...calls.values()].map((id, place) => ({ id, result: results[place] }));
}
