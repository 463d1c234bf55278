import type { Chunk } from "./openai-replies.ts";

/** The texts of a message; each is joined from its deltas. */
const texts = ["content", "refusal", "reasoning_content", "reasoning", "reasoning_text"] as const;

/** The one JSON document that the API sends in place of chunks where no stream is asked for; half of it where they break off. */
export function documentOf(chunks: readonly Chunk[]): string {
  const choices = chunks.flatMap(({ choices: list }) => listOf(list)).map(fieldsOf);
  const deltas = choices.map(({ delta }) => fieldsOf(delta));
  const finish_reason =
    choices.find((choice) => typeof choice["finish_reason"] === "string")?.["finish_reason"] ?? null;
  const usage = chunks.findLast((chunk) => chunk["usage"])?.["usage"];
  const message = { role: "assistant", ...textsOf(deltas), ...callsOf(deltas) };
  const choice = { index: 0, message, finish_reason };
  const model = chunks.find((chunk) => chunk["model"])?.["model"];
  const text = JSON.stringify({ id: "chatcmpl-test", object: "chat.completion", model, choices: [choice], usage });
  return finish_reason === null ? text.slice(0, text.length / 2) : text;
}

function textsOf(deltas: readonly Chunk[]): Chunk {
  const entries = texts.map((field) => [field, deltas.map((delta) => delta[field] ?? "").join("") || null] as const);
  return Object.fromEntries(entries.filter(([field, text]) => field === "content" || text !== null));
}

function callsOf(deltas: readonly Chunk[]): Chunk {
  const calls: Chunk[] = [];
  for (const delta of deltas.flatMap(({ tool_calls }) => listOf(tool_calls)).map(fieldsOf)) {
    const { index, ...call } = delta;
    const before = calls[Number(index)];
    calls[Number(index)] = before === undefined ? call : { ...before, function: grown(before, call) };
  }
  return calls.length === 0 ? {} : { tool_calls: calls };
}

function grown(before: Chunk, call: Chunk): Chunk {
  const json = [before, call].map((part) => fieldsOf(part["function"])["arguments"] ?? "").join("");
  return { ...fieldsOf(before["function"]), arguments: json };
}

function fieldsOf(value: unknown): Chunk {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
