import { listOf, recordOf } from "@mdx-ai/base";
import type { Adaptation, RefusedRequest } from "../adaptations/adaptation.ts";
import type { AssistantContent } from "../types/message.ts";

/** The fields for thinking; some servers send it twice, so the first counts. */
export const thinkingFields = ["reasoning_content", "reasoning", "reasoning_text"] as const;

/** A field of chat completions with thinking as text. */
export type ThinkingField = (typeof thinkingFields)[number];

/** Sent for an answer without thinking if a server requires the field: some treat an empty string as missing. */
const NO_THINKING = " ";

const MISSING =
  /missing|must be (?:passed|provided|included|present|sent)|(?:is|are) required|require[sd]? .*reason|pass(?:ed)? .*back/i;

const REFUSED =
  /un(?:supported|known|recognized|expected)|not (?:supported|permitted|allowed|accepted|recognized)|extra (?:inputs?|fields?)|additional propert|does not (?:support|accept)|should not|must not/i;

/**
 * Sends thinking back in the field it arrived in, with answers that call tools, since models that think between calls continue from it.
 * Learns from refusals that a server requires a field, or accepts none.
 */
export class ThinkingBack implements Adaptation {
  readonly #isSent: boolean;
  readonly #refused = new Set<string>();
  #demanded: ThinkingField | undefined;

  /** `isSent`: whether thinking is sent back before a server requires it. */
  constructor(isSent: boolean) {
    this.#isSent = isSent;
  }

  /** The thinking field of an answer that calls tools; empty if there is none. */
  fieldOf(content: readonly AssistantContent[]): { readonly [Field in ThinkingField]?: string } {
    const thoughts = content.filter((block) => block.type === "thinking");
    const came = thinkingFields.find((name) => thoughts.some(({ signature }) => signature === name));
    const field = this.#demanded ?? (this.#isSent ? came : undefined);
    if (field === undefined || this.#refused.has(field)) return {};
    const text = thoughts.map(({ thinking }) => thinking).join("");
    return { [field]: text === "" ? NO_THINKING : text };
  }

  learn({ status, said, field, body }: RefusedRequest): string | undefined {
    if (status !== 400 && status !== 422) return undefined;
    const words = `${field ?? ""} ${said}`;
    const name = thinkingFields.find((known) => new RegExp(`\\b${known}\\b`).test(words));
    if (name === undefined) return undefined;
    const answers = listOf(body["messages"])
      .map(recordOf)
      .filter(({ role }) => role === "assistant");
    const isSent = answers.some((answer) => name in answer);
    if (isSent && REFUSED.test(said)) {
      this.#refused.add(name);
      return `the server does not accept ${name} back, which is left out from now on`;
    }
    const lacks = answers.some((answer) => "tool_calls" in answer && !(name in answer));
    if (!lacks || !MISSING.test(said)) return undefined;
    this.#demanded = name;
    this.#refused.delete(name);
    return `the server requires the model's thinking, which is sent back as ${name} from now on`;
  }
}
