import { isRecord, jsonValue, listOf } from "@mdx-ai/base";
import type { Schema } from "@mdx-ai/base/schema";
import type { SaidMessage } from "@mdx-ai/sessions";
import { type Call, jsonResponse } from "../route.ts";
import { mistake, saidIn } from "./messages.ts";

export interface CompactBody {
  readonly model: string;
  readonly input?: string | readonly unknown[] | null;
}

export const COMPACT: Schema<CompactBody> = {
  title: "a request",
  type: "object",
  required: ["model"],
  properties: {
    model: { title: "the name of an agent", type: "string" },
    input: { title: "a text or a list of items", type: ["string", "array", "null"] },
  },
};

/** Packs a conversation into one item. Nothing is lost: the agent itself summarises what its model cannot take. */
export async function compact(call: Call, { model, input }: CompactBody): Promise<Response> {
  await call.services.agents.of(model, call.caller.user);
  const items = typeof input === "string" ? [{ role: "user", content: input }] : (input ?? []);
  const content = Buffer.from(JSON.stringify(saidIn(unpacked(items)))).toString("base64url");
  return jsonResponse(call, {
    ...{ id: `resp_${crypto.randomUUID()}`, object: "response.compaction", created_at: Math.floor(Date.now() / 1000) },
    output: [{ type: "compaction", id: `cmp_${crypto.randomUUID()}`, encrypted_content: content }],
    usage: {
      ...{ input_tokens: 0, output_tokens: 0, total_tokens: 0 },
      ...{ input_tokens_details: { cached_tokens: 0 }, output_tokens_details: { reasoning_tokens: 0 } },
    },
  });
}

/** The items of a request, with the messages of packed conversations. Throws `ProblemError`. */
export const unpacked = (items: readonly unknown[]): readonly unknown[] =>
  items.flatMap((item): readonly unknown[] =>
    isRecord(item) && item["type"] === "compaction" ? messagesOf(item["encrypted_content"]) : [item],
  );

function messagesOf(content: unknown): readonly SaidMessage[] {
  const said = listOf(jsonValue(Buffer.from(String(content), "base64url").toString("utf8")));
  if (said.length > 0 && said.every(isSaid)) return said;
  throw mistake("a compaction needs the content that this server gave it");
}

const isSaid = (value: unknown): value is SaidMessage =>
  isRecord(value) &&
  (value["role"] === "user" || value["role"] === "assistant") &&
  typeof value["content"] === "string";
