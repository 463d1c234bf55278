import { readFile } from "node:fs/promises";
import { ModelScriptError } from "../errors/model-script-error.ts";
import { isScriptReply, replyProblem } from "./reply-shape.ts";
import type { ScriptReply } from "./script-reply.ts";

/** Reads a model script, JSON Lines; blank lines do not count. Rejects with `ModelScriptError` at the first bad line. */
export async function readScript(file: string): Promise<readonly ScriptReply[]> {
  const text = await readFile(file, "utf8").catch((cause: unknown) => {
    throw new ModelScriptError("the model script cannot be read", { file, cause });
  });
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  return lines.flatMap((line, index) => (line.trim() === "" ? [] : [readReply(line, { file, line: index + 1 })]));
}

function readReply(line: string, place: { readonly file: string; readonly line: number }): ScriptReply {
  const value = parseLine(line, place);
  if (isScriptReply(value)) return value;
  throw new ModelScriptError(replyProblem(value) ?? "unexpected reply", place);
}

function parseLine(line: string, place: { readonly file: string; readonly line: number }): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw new ModelScriptError("unexpected text, expected a JSON object on one line", { ...place, cause });
  }
}
