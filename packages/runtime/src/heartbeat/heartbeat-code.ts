import { type JsonObject, type JsonValue, jsonValue, parseJsonObject } from "@mdx-ai/base";
import type { HeartbeatCode } from "@mdx-ai/parser";

/** Runs the code of a gate or a check where inline tools run. Never rejects. */
export type RunCode = (
  code: HeartbeatCode,
  call: { readonly name: "gate" | "done"; readonly input: JsonObject },
) => Promise<CodeResult>;

/** The text that code returned, as a tool would, or of its error. */
export interface CodeResult {
  readonly text: string;
  readonly isError: boolean;
}

/** The answer of a gate. */
export type GateAnswer =
  | { readonly wake: boolean; readonly message?: string; readonly state?: JsonValue }
  | { readonly problem: string; readonly state?: undefined };

/** Asks a gate whether a task runs. Never rejects. */
export async function checkGate(gate: HeartbeatCode, input: JsonObject, run: RunCode): Promise<GateAnswer> {
  const { text, isError } = await run(gate, { name: "gate", input });
  if (isError) return { problem: text };
  const answer = jsonValue(text);
  if (typeof answer === "boolean") return { wake: answer };
  const { wake, message, state } = parseJsonObject(text) ?? {};
  if (typeof wake !== "boolean" || (message !== undefined && typeof message !== "string"))
    return { problem: `it returned ${text.slice(0, MAX_SHOWN)}, expected false or { wake, message, state }` };
  return { wake, ...(message !== undefined && { message }), ...(state !== undefined && { state }) };
}

/** Characters of a wrong answer that are shown. */
const MAX_SHOWN = 80;

/** Asks a check about a result. Returns why it is not done; undefined if it is. An error of the check is a reason. Never rejects. */
export async function checkDone(done: HeartbeatCode, input: JsonObject, run: RunCode): Promise<string | undefined> {
  const { text, isError } = await run(done, { name: "done", input });
  if (isError) return `the check @done failed: ${text}`;
  const answer = jsonValue(text);
  if (answer === true) return undefined;
  return answer === false || text.trim() === "" ? "it is not done" : text;
}
