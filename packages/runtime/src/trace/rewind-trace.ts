import { isRecord } from "../record.ts";
import { headOf } from "../session/prompt-tree.ts";
import type { OwnLine } from "./own-line.ts";
import type { TraceRewind } from "./trace.ts";

/** That the conversation went back to an earlier prompt; none where the line says something else. */
export function rewindTrace({ line, afterPrompt }: OwnLine): readonly TraceRewind[] {
  const prompt = headOf(line);
  if (prompt === undefined || !("result" in line)) return [];
  const at = isRecord(line.result) ? line.result["at"] : undefined;
  return [{ step: line.step, prompt, ...(typeof at === "number" && { at }), afterPrompt }];
}
