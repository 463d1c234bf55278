import { brokeOff } from "../history/broke-off.ts";
import { sentName } from "../history/sent-name.ts";
import { parseJsonObject } from "../json-object.ts";
import { listOf } from "../record.ts";
import type { AssistantMessage, ThinkingContent, ToolCall } from "../types/message.ts";
import { wellFormedJson } from "../well-formed-json.ts";
import type { Dialect } from "./dialect.ts";
import type { WireAssistant, WireCall } from "./wire-message.ts";

/** Calls with the ids under which they are sent. */
export type WireIds = ReadonlyMap<ToolCall, string>;

/** To whom an answer is sent. */
export interface Recipient {
  readonly vendor: string;
  readonly dialect: Dialect;
}

/** The calls of an answer that are sent: those of one that broke off may be half. */
export function sentCalls(message: AssistantMessage): readonly ToolCall[] {
  return brokeOff(message) ? [] : message.content.filter((block) => block.type === "toolCall");
}

/** An answer as it goes back, with its calls under the ids given; undefined where nothing of it can be sent. */
export function sentAnswer(message: AssistantMessage, ids: WireIds, recipient: Recipient): WireAssistant | undefined {
  const text = message.content.flatMap((block) => (block.type === "text" && block.text.trim() ? [block.text] : []));
  if (text.length === 0 && ids.size === 0) return undefined;
  const isOwn = message.provider === recipient.vendor;
  return {
    role: "assistant",
    content: text.length === 0 ? null : text.join("\n"),
    ...sentThinking(isOwn ? message : { ...message, content: [] }, recipient.dialect),
    ...(ids.size === 0 ? {} : { tool_calls: wireCalls(ids, recipient.dialect.signsCalls ? { isOwn } : undefined) }),
  };
}

/** Thinking of others means nothing to a model, but DeepSeek demands the field on each answer once there are tools. */
function sentThinking(message: AssistantMessage, { thinkingBack }: Dialect): Partial<WireAssistant> {
  if (thinkingBack === undefined) return {};
  const thoughts = brokeOff(message) ? [] : message.content.filter((block) => block.type === "thinking");
  switch (thinkingBack) {
    case "reasoning_content":
      return { reasoning_content: thoughts.map(({ thinking }) => thinking).join("") };
    case "reasoning_details": {
      const details = thoughts.flatMap(detailsOf);
      return details.length === 0 ? {} : { reasoning_details: details };
    }
  }
}

function detailsOf({ signature = "" }: ThinkingContent): readonly unknown[] {
  return listOf(parseJsonObject(`{"details":${signature}}`)?.["details"]);
}

/** What Google says to put in place of a signature for calls that another model made. */
const noSignature = { google: { thought_signature: "skip_thought_signature_validator" } };

/** Signed as Gemini wants them: the first call of an answer has a signature at least. */
function wireCalls(ids: WireIds, signing: { readonly isOwn: boolean } | undefined): readonly WireCall[] {
  const calls = [...ids].map(([call, id]) => wireCall(call, id));
  if (signing === undefined) return calls;
  const signatures = [...ids.keys()].map(({ signature = "" }) =>
    signing.isOwn ? parseJsonObject(signature) : undefined,
  );
  signatures[0] ??= noSignature;
  return calls.map((call, place) => {
    const extra = signatures[place];
    return extra === undefined ? call : { ...call, extra_content: extra };
  });
}

function wireCall({ name, arguments: input }: ToolCall, id: string): WireCall {
  return { id, type: "function", function: { name: sentName(name), arguments: wellFormedJson(input) } };
}
