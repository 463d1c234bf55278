import { describe, expect, test } from "bun:test";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { fromAiSdk, type LanguageModel, openModel } from "@mdx-ai/models";
import { endOf, eventsOf } from "../support/model-request.ts";
import { type Wire, wires } from "../support/wire-server.ts";
import { type Refusal, refusals } from "./oddities/refusals.ts";
import { type PlayedServer, playedKey, playedServer } from "./played-server.ts";
import { refusal } from "./wire-bodies.ts";

const MODELS: Readonly<Record<Wire, string>> = {
  openai: "openai/m",
  anthropic: "anthropic/claude-test",
  responses: "openai/gpt-test",
};

const open = (way: Wire | "ai-sdk", server: PlayedServer): LanguageModel | Promise<LanguageModel> => {
  if (way !== "ai-sdk") return openModel(MODELS[way], { environment: server.environment });
  return fromAiSdk(createOpenAICompatible({ name: "odd", apiKey: playedKey, baseURL: `${server.url}/v1` })("m"));
};

/** What came of a refusal, of the fields that the row expects. */
async function judged(way: Wire | "ai-sdk", { status, body, headers, expected }: Refusal): Promise<object> {
  using server = playedServer("openai", [refusal(status, body, headers)]);
  const { message } = endOf(await eventsOf(await open(way, server)));
  const { failure, errorMessage = "", stopReason } = message;
  const shown = errorMessage.toLowerCase();
  const got: Required<Refusal["expected"]> = {
    isTransient: failure?.isTransient ?? false,
    retryAfter: Math.round(failure?.retryAfter ?? -1),
    isOverflow: stopReason === "contextExceeded",
    says: (expected.says ?? []).filter((text) => shown.includes(text.toLowerCase())),
  };
  const unseen = expected.says !== undefined && got.says.length < expected.says.length ? { shown: errorMessage } : {};
  return { ...Object.fromEntries(Object.keys(expected).map((key) => [key, Reflect.get(got, key)])), ...unseen };
}

describe.each([...wires, "ai-sdk"] as const)("%s", (way) => {
  test.each(refusals.map((row): [string, Refusal] => [`${row.name} (${row.seen})`, row]))("%s", async (_name, row) => {
    expect(await judged(way, row)).toEqual(row.expected);
  });
});
