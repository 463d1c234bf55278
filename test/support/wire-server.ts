import { type LanguageModel, openModel } from "@mdx-ai/models";
import * as anthropic from "./anthropic-replies.ts";
import { anthropicServer } from "./anthropic-server.ts";
import * as openai from "./openai-replies.ts";
import { openAiServer } from "./openai-server.ts";
import * as responses from "./responses-replies.ts";
import { responsesServer } from "./responses-server.ts";

/** The protocols that models are asked over; OpenAI has two. */
export type Wire = "anthropic" | "openai" | "responses";

export const wires: readonly Wire[] = ["anthropic", "openai", "responses"];

/** A part of an answer that is told alike on all; chat completions have no signatures. */
export type WirePart =
  | { readonly text: readonly string[] }
  | { readonly thinking: readonly string[]; readonly signature: string }
  | { readonly id: string; readonly name: string; readonly json: readonly string[] };

/** An answer that stops for a reason in the words of its protocol, or a failure. */
export type WireReply =
  | {
      readonly parts: readonly WirePart[];
      readonly stop?: string;
      /** Events that arrive; default all. */
      readonly cutAfter?: number | undefined;
      /** What follows them; `hang` is silence. */
      readonly end?: "clean" | "hang";
      /** The most bytes of one write. */
      readonly chunk?: number;
    }
  | {
      readonly status: number;
      readonly message?: string;
      readonly headers?: Readonly<Record<string, string>>;
    };

/** A strict server of one protocol. */
export interface WireServer extends Disposable {
  /** In the order of arrival. */
  readonly requests: readonly { readonly text: string; readonly refusal: string | undefined }[];
  /** What a program needs in its environment to ask it, and the reference of a model of it. */
  readonly environment: Readonly<Record<string, string>>;
  readonly reference: string;
  /** Opens a model of it; without a name, that of the reference. */
  open(name?: string): Promise<LanguageModel>;
}

/** Starts a strict server of a protocol that gives these replies; it stops when the test's scope ends. */
export function wireServer(wire: Wire, ...replies: readonly WireReply[]): WireServer {
  switch (wire) {
    case "anthropic":
      return anthropicWire(replies);
    case "openai":
      return openAiWire(replies);
    case "responses":
      return responsesWire(replies);
  }
}

function anthropicWire(replies: readonly WireReply[]): WireServer {
  const server = anthropicServer(
    ...replies.map((reply): anthropic.AnthropicReply => {
      if ("status" in reply) return anthropic.failureReply(reply.status, "told_error", reply);
      const { parts, stop, cutAfter, ...delivery } = reply;
      const events = anthropic.answerEvents(parts, stop === undefined ? {} : { stopReason: stop });
      return { ...delivery, events: events.slice(0, cutAfter) };
    }),
  );
  const environment = { ...server.environment };
  return {
    requests: server.requests,
    environment,
    reference: "anthropic/claude-test",
    open: (name = "test") => openModel(`anthropic/claude-${name}`, { environment }),
    [Symbol.dispose]: () => server[Symbol.dispose](),
  };
}

function openAiWire(replies: readonly WireReply[]): WireServer {
  const server = openAiServer(
    ...replies.map((reply): openai.OpenAiReply => {
      if ("status" in reply) return openai.failureReply(reply.status, "told_error", reply);
      const { parts, stop, cutAfter, ...delivery } = reply;
      const chunks = openai.answerChunks(parts, stop === undefined ? {} : { finishReason: stop });
      return { ...delivery, chunks: chunks.slice(0, cutAfter), done: cutAfter === undefined };
    }),
  );
  const environment = server.environment("openai");
  return {
    requests: server.requests,
    environment,
    reference: "openai/test",
    open: (name = "test") => openModel(`openai/${name}`, { environment }),
    [Symbol.dispose]: () => server[Symbol.dispose](),
  };
}

function responsesWire(replies: readonly WireReply[]): WireServer {
  const server = responsesServer(
    ...replies.map((reply): responses.ResponsesReply => {
      if ("status" in reply) return responses.failureReply(reply.status, "told_error", reply);
      const { parts, stop, cutAfter, ...delivery } = reply;
      return { ...delivery, events: responses.responseEvents(parts, endOf(stop)).slice(0, cutAfter) };
    }),
  );
  const { environment } = server;
  return {
    requests: server.requests,
    environment,
    reference: "openai/gpt-test",
    open: (name = "test") => openModel(`openai/gpt-${name}`, { environment }),
    [Symbol.dispose]: () => server[Symbol.dispose](),
  };
}

/** How a response ends that stops for a reason in the words of another protocol. */
function endOf(stop: string | undefined): { readonly status: "completed" | "incomplete"; readonly reason?: string } {
  if (stop === "length" || stop === "max_tokens") return { status: "incomplete", reason: "max_output_tokens" };
  if (stop === "content_filter" || stop === "refusal") return { status: "incomplete", reason: "content_filter" };
  return { status: "completed" };
}
