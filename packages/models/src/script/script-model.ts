import { resolve } from "node:path";
import { ModelError } from "../errors/model-error.ts";
import { MessageBuilder } from "../message-builder.ts";
import type { LanguageModel } from "../types/language-model.ts";
import { playReply } from "./play-reply.ts";
import { readScript } from "./read-script.ts";

const provider = "script";

/**
 * A model that plays a file of replies (`ScriptReply`, JSON Lines), one a request, in order, whatever is asked.
 * A request beyond the last reply gets an error. `file` is relative to `cwd`. Rejects with `ModelScriptError`.
 */
export async function openScriptModel(file: string, cwd: string): Promise<LanguageModel> {
  const replies = await readScript(resolve(cwd, file));
  let number = 0;
  return {
    provider,
    name: file,
    async *stream(_request, signal) {
      const builder = new MessageBuilder({ provider, model: file });
      try {
        const reply = replies[number++];
        if (reply === undefined)
          throw new ModelError(`${file} has ${replies.length} replies, this is request ${number}`);
        for await (const _ of playReply(reply, { builder, signal, number })) yield* builder.take();
      } catch (thrown) {
        if (signal.aborted) builder.abort();
        else builder.fail(thrown instanceof Error ? thrown : new ModelError(String(thrown)));
      }
      yield* builder.take();
    },
  };
}
