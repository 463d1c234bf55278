import { ModelError } from "../errors/model-error.ts";
import { MessageBuilder } from "../message-builder.ts";
import type { Environment } from "../types/environment.ts";
import type { LanguageModel, ModelRequest } from "../types/language-model.ts";
import { AnswerReader } from "./answer-reader.ts";
import type { AnthropicClient } from "./client.ts";
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
  let client: Promise<AnthropicClient> | undefined;

  async function ask(request: ModelRequest, signal: AbortSignal): Promise<Response> {
    signal.throwIfAborted();
    client ??= import("./client.ts").then(({ openClient }) => openClient(settings));
    return (await client).send(requestBody(name, request, history), signal);
  }

  return {
    provider,
    name,
    async *stream(request, signal) {
      const builder = new MessageBuilder({ provider, model: name });
      let answer: AnswerReader | undefined;
      try {
        answer = new AnswerReader(await ask(request, signal), settings.host, builder);
        while (!answer.whole) {
          await answer.readMore();
          for (const event of builder.take()) yield event;
        }
      } catch (thrown) {
        if (signal.aborted) builder.abort();
        else builder.fail(showable(asModelError(thrown), settings.key));
      } finally {
        void answer?.leave();
      }
      for (const event of builder.take()) yield event;
    },
  };
}

function asModelError(thrown: unknown): ModelError {
  return thrown instanceof ModelError
    ? thrown
    : new ModelError(`could not ask the model: ${thrown}`, { cause: thrown });
}
