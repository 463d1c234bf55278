import { ModelError } from "../errors/model-error.ts";
import { MessageBuilder } from "../message-builder.ts";
import type { Environment } from "../types/environment.ts";
import type { LanguageModel, ModelEvent } from "../types/language-model.ts";
import { AnswerReader } from "./answer-reader.ts";
import { showable } from "./failures.ts";
import { readSettings } from "./settings.ts";
import { WireHistory } from "./wire-history.ts";
import { requestBody } from "./wire-request.ts";

const provider = "anthropic";

/**
 * A model of Anthropic's Messages API. The SDK is loaded by the first request.
 * Throws `MissingKeyError` for a key and `ModelError` for a URL that cannot be used.
 */
export function openAnthropicModel(name: string, environment: Environment): LanguageModel {
  const settings = readSettings(environment);
  const history = new WireHistory();

  async function send(body: string, signal: AbortSignal, ready: Promise<void>): Promise<Response> {
    signal.throwIfAborted();
    const client = await import("./client.ts");
    return client.send(settings, body, { signal, ready });
  }

  async function* answer(response: Promise<Response>, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const builder = new MessageBuilder({ provider, model: name });
    let reader: AnswerReader | undefined;
    try {
      reader = new AnswerReader(await response, settings.host, builder);
      while (!reader.whole) {
        await reader.readMore();
        for (const event of builder.take()) yield event;
      }
    } catch (thrown) {
      if (signal.aborted) builder.abort();
      else builder.fail(showable(asModelError(thrown), settings.key));
    } finally {
      void reader?.leave();
    }
    for (const event of builder.take()) yield event;
  }

  return {
    provider,
    name,
    stream(request, signal, ready = Promise.resolve()) {
      const response = send(requestBody(name, request, history), signal, ready);
      // Whoever asks for the events is told; where nobody does, nobody is.
      response.catch(() => {});
      return answer(response, signal);
    },
  };
}

function asModelError(thrown: unknown): ModelError {
  return thrown instanceof ModelError
    ? thrown
    : new ModelError(`could not ask the model: ${thrown}`, { cause: thrown });
}
