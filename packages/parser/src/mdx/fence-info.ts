import type { Code } from "mdast";
import type { SourceText } from "../source-text.ts";
import type { TextEdit } from "../types/diagnostic.ts";
import { startOf } from "./syntax-tree.ts";

/** The fix that replaces the info string of a code block. */
export function withInfo(node: Code, info: string, { text }: SourceText): { readonly fix?: TextEdit } {
  const [line = "", fence = ""] = /^(`{3,}|~{3,})[^\r\n]*/.exec(text.slice(startOf(node), startOf(node) + 1_000)) ?? [];
  const start = startOf(node) + fence.length;
  return fence === "" ? {} : { fix: { start, end: startOf(node) + line.length, text: info } };
}
