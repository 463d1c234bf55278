import { expect } from "bun:test";
import { inspect } from "node:util";
import { type LanguageModel, ModelError, type ModelEvent, openModel } from "@mdx-ai/models";
import { endOf, eventsOf } from "./model-request.ts";
import { answerChunks, type OpenAiReply, textReply } from "./openai-replies.ts";
import { type OpenAiServer, openAiServer, testKey } from "./openai-server.ts";

/** The model of a server. */
export const open = (server: OpenAiServer, timeout = 120): Promise<LanguageModel> =>
  openModel("openai/llama", { environment: server.environment("openai"), timeout });

/** A model at a server that is written for one test. */
export const openAt = (url: string): Promise<LanguageModel> =>
  openModel("openai/llama", { environment: { OPENAI_API_KEY: testKey, OPENAI_BASE_URL: url } });

/** An answer of half a sentence, without its end. */
export const half: ReturnType<typeof answerChunks> = answerChunks([{ text: ["half an", " answer"] }]).slice(0, 3);
export const halfText: readonly object[] = [{ type: "text", text: "half an answer" }];

/** The error that ends an answer, after a check that it is well told. */
export function errorOf(events: readonly ModelEvent[]): ModelError {
  const end = endOf(events);
  if (end.type !== "error" || !(end.error instanceof ModelError)) throw new Error(`no model error: ${inspect(end)}`);
  expect(end.message).toMatchObject({
    stopReason: "error",
    errorMessage: end.error.message,
    failure: end.error.failure,
  });
  expect(end.error.message).not.toContain("\n");
  expect(inspect(end, { depth: 20 })).not.toContain(testKey);
  return end.error;
}

/** The error of a server's only answer, which is not tried again. */
export async function failWith(reply: OpenAiReply): Promise<ModelError> {
  using server = openAiServer(reply, textReply("A further attempt."));
  const error = errorOf(await eventsOf(await open(server)));
  expect(server.requests.length).toBe(1);
  return error;
}
