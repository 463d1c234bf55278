import { expect, test } from "bun:test";
import { openModel, resolveConfiguration, UnknownProviderError, unknownModelHint } from "@mdx-ai/models";
import { readPrices } from "@mdx-ai/models/prices";

const [table] = await readPrices({}, () => {});

/** The versions that the table lists of a family, such as [5, 5]. */
const versions = (family: string): readonly (readonly number[])[] =>
  Object.keys(table?.models ?? {}).flatMap((key) => {
    const [, version] = new RegExp(`^anthropic/claude-${family}-(\\d+(?:-\\d{1,3})?)$`).exec(key) ?? [];
    return version === undefined ? [] : [version.split("-").map(Number)];
  });

const versionNumber = ([major = 0, minor = 0]: readonly number[]): number => major + minor / 1_000;

test.each(["opus", "Sonnet", "anthropic/haiku"])("%s is the newest of its name that has a price", async (word) => {
  const family = word.toLowerCase().replace(/^.*\//, "");
  const newest = versions(family).toSorted((one, other) => versionNumber(other) - versionNumber(one))[0];
  const model = await openModel(word, { apiKey: "k", environment: {} });
  expect(model.name).toBe(`claude-${family}-${newest?.join("-")}`);
  const environment = { LLM_MODEL: word, ANTHROPIC_API_KEY: "k" };
  const { models } = await resolveConfiguration({ environment, cwd: "/" });
  expect(models.map(({ reference }) => reference.value)).toEqual([`anthropic/${model.name}`]);
});

test.each(["", "claude", "4", "opus-5", "constructor", ".*", "op"])("%p is no family", async (word) => {
  await expect(openModel(word, { apiKey: "k", environment: {} })).rejects.toThrow(UnknownProviderError);
});

test.each([
  { environment: { OPENAI_API_KEY: "k" }, models: ["openai/gpt-5.4"], origin: "detected by OPENAI_API_KEY" },
  { environment: {}, models: ["offline"], origin: "default" },
  { environment: { LLM_MODEL: "openai/x" }, models: ["openai/x"], origin: "environment LLM_MODEL" },
])("inherit is the user's default model: $models", async ({ environment, models, origin }) => {
  const found = await resolveConfiguration({ environment, cwd: "/", author: { model: "inherit" } });
  expect(found.models.map(({ reference }) => reference.value)).toEqual([...models]);
  expect(found.models[0]?.reference.origin).toBe(origin);
});

test("inherit may have fallbacks, and means nothing to the user's own words", async () => {
  const author = { model: ["inherit", "xai/grok-x"] };
  const found = await resolveConfiguration({ environment: { OPENAI_API_KEY: "k" }, cwd: "/", author });
  expect(found.models.map(({ reference }) => reference.value)).toEqual(["openai/gpt-5.4", "xai/grok-x"]);
  expect(resolveConfiguration({ environment: { LLM_MODEL: "inherit" }, cwd: "/" })).rejects.toThrow("inherit");
});

test.each([
  ["anthropic/claude-x", undefined],
  ["claude-x", undefined],
  ["opus", undefined],
  ["inherit", undefined],
  ["offline", undefined],
  ["script:a.jsonl", undefined],
  ["ai-sdk:@ai-sdk/google#x", undefined],
  ["anthropc/claude-x", "did you mean `anthropic/claude-x`?"],
  ["llama3:8b", "did you mean `ollama/llama3:8b`?"],
  ["my-model", "write its vendor before it, such as `anthropic/claude-sonnet-5-5` or `ollama/llama3`"],
])("for %s the author is shown %p", (reference, hint) => {
  expect(unknownModelHint(reference)).toBe(hint);
});
