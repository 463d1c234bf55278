import type { Schema } from "@mdx-ai/base/schema";
import { textStream } from "../event-stream.ts";
import { ProblemError } from "../problem.ts";
import { MAX_IMAGE_BYTES } from "../request-body.ts";
import { type Call, jsonResponse, type Route, withBody } from "../route.ts";
import type { Piece } from "./answer-pieces.ts";
import { askedOf } from "./messages.ts";
import {
  ask,
  askedAgent,
  type EndPiece,
  type ModelRequest,
  openAiRoute,
  tokensOf,
  wholeAnswer,
} from "./openai-answer.ts";

interface ChatBody extends ModelRequest {
  readonly messages: readonly unknown[];
  readonly stream_options?: { readonly include_usage?: boolean } | null;
}

const CHAT: Schema<ChatBody> = {
  title: "a request",
  type: "object",
  required: ["model", "messages"],
  properties: {
    model: { title: "the name of an agent", type: "string" },
    messages: { title: "a list of at least one message", type: "array", minItems: 1 },
    stream: { title: "`true` or `false`", type: ["boolean", "null"] },
    stream_options: { title: "options of the stream", type: ["object", "null"] },
    tools: { title: "an empty list", type: ["array", "null"] },
  },
};

/** OpenAI's chat completions: each agent is a model. */
export const CHAT_ROUTES: readonly Route[] = [
  openAiRoute({
    method: "POST",
    path: "/v1/chat/completions",
    summary: "Ask an agent, as OpenAI's chat completions",
    answers: { 200: { description: "the answer; with `stream`, server-sent events", type: "application/json" } },
    ...withBody(CHAT, complete, MAX_IMAGE_BYTES),
  }),
];

async function complete(call: Call, body: ChatBody): Promise<Response> {
  const open = await askedAgent(call, body);
  const asked = askedOf(body.messages);
  const { conversations, redactor } = call.services;
  const session = await conversations.session(open, asked);
  const answering = await ask(call, open, session, asked);
  const head = { id: `chatcmpl-${crypto.randomUUID()}`, created: Math.floor(Date.now() / 1000), model: body.model };
  const keep = (answer: string): void =>
    conversations.keep(open, [...asked.said, { role: "assistant", content: answer }], session.id);
  const headers = { "x-mdx-ai-session": encodeURIComponent(session.id) };
  if (body.stream !== true) {
    const { text, end } = await wholeAnswer(answering);
    if (end.problem !== undefined) throw new ProblemError({ status: 502, code: "prompt_failed", detail: end.problem });
    keep(text);
    const message = { role: "assistant", content: text, refusal: null };
    const choices = [{ index: 0, message, logprobs: null, finish_reason: reasonOf(end) }];
    return jsonResponse(call, { ...head, object: "chat.completion", choices, usage: usageOf(end) }, 200, headers);
  }
  const hasUsage = body.stream_options?.include_usage === true;
  const chunks = chunksOf(answering.pieces, { ...head, object: "chat.completion.chunk" }, { hasUsage, keep });
  const stream = textStream(chunks, call.services, ": \n\n", (chunk) =>
    chunk === "[DONE]" ? "data: [DONE]\n\n" : `data: ${redactor.json(chunk)}\n\n`,
  );
  return new Response(stream, { headers: { "content-type": "text/event-stream", ...headers } });
}

interface ChunkOptions {
  /** Whether the last chunk has the usage. */
  readonly hasUsage: boolean;
  keep(answer: string): void;
}

async function* chunksOf(
  pieces: AsyncIterable<Piece>,
  head: object,
  { hasUsage, keep }: ChunkOptions,
): AsyncGenerator<object | "[DONE]", void, undefined> {
  const chunk = (delta: object, finish_reason: string | null = null): object => ({
    ...head,
    choices: [{ index: 0, delta, logprobs: null, finish_reason }],
    ...(hasUsage && { usage: null }),
  });
  yield chunk({ role: "assistant", content: "" });
  let answer = "";
  for await (const piece of pieces) {
    if (piece.type === "begin") continue;
    if (piece.type === "text") {
      answer += piece.text;
      yield chunk({ content: piece.text });
      continue;
    }
    if (piece.problem !== undefined)
      yield { error: { message: piece.problem, type: "server_error", param: null, code: null } };
    else {
      keep(answer);
      yield chunk({}, reasonOf(piece));
      if (hasUsage) yield { ...head, choices: [], usage: usageOf(piece) };
    }
  }
  yield "[DONE]";
}

const reasonOf = ({ outcome }: EndPiece): string => (outcome === "limit" ? "length" : "stop");

function usageOf({ usage }: EndPiece): object {
  const { read, said } = tokensOf(usage);
  return {
    prompt_tokens: read,
    completion_tokens: said,
    total_tokens: read + said,
    prompt_tokens_details: { cached_tokens: usage.cacheRead },
    completion_tokens_details: { reasoning_tokens: usage.thinking },
  };
}
