import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { recordOf } from "@mdx-ai/base";
import { ModelError, ModelScriptError } from "../errors.ts";
import { MessageBuilder } from "../message-builder.ts";
import type { LanguageModel } from "../types/language-model.ts";
import { playReply } from "./play-reply.ts";
import { isScriptReply, replyProblem, type ScriptReply } from "./script-reply.ts";

const provider = "script";

/**
 * A model that plays a file of replies (`ScriptReply`, JSON Lines), one per request, in order, for any request. A request after the last
 * reply fails. `file` is relative to `cwd`. Rejects with `ModelScriptError`.
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
          throw new ModelError(`${file} has ${replies.length} replies; this is request ${number}`);
        for await (const _ of playReply(reply, { builder, signal, number })) yield* builder.take();
      } catch (thrown) {
        if (signal.aborted) builder.abort();
        else builder.fail(thrown instanceof Error ? thrown : new ModelError(String(thrown)));
      }
      yield* builder.take();
    },
  };
}

/** Reads a model script (JSON Lines; blank lines are skipped). Rejects with `ModelScriptError` at the first invalid line. */
async function readScript(file: string): Promise<readonly ScriptReply[]> {
  const text = await readFile(file, "utf8").catch((cause: unknown) => {
    const code = recordOf(cause)["code"];
    const why = typeof code === "string" ? ` (${code})` : "";
    throw new ModelScriptError(`cannot read the model script${why}`, { file, cause });
  });
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  return lines.flatMap((line, index) => (line.trim() === "" ? [] : [readReply(line, { file, line: index + 1 })]));
}

function readReply(line: string, position: { readonly file: string; readonly line: number }): ScriptReply {
  const value = parseLine(line, position);
  if (isScriptReply(value)) return value;
  throw new ModelScriptError(replyProblem(value) ?? "unexpected reply", position);
}

function parseLine(line: string, position: { readonly file: string; readonly line: number }): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw new ModelScriptError("not JSON; expected an object on one line", { ...position, cause });
  }
}
