import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Configuration, type ResolvedConfiguration, resolveConfiguration } from "@mdx-ai/models";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const sources = ["flags", "inline", "file", "environment", "author"] as const;
type Source = (typeof sources)[number];

/** Resolves what each source says, from real variables and a real file. */
async function resolved(said: Partial<Record<Source, Configuration>>): Promise<ResolvedConfiguration> {
  using directory = temporaryDirectory();
  const { flags = {}, inline, file, environment = {}, author = {} } = said;
  if (file !== undefined) writeFileSync(join(directory.path, "my.json"), JSON.stringify(file));
  return await resolveConfiguration({
    flags,
    author,
    cwd: directory.path,
    environment: {
      ANTHROPIC_API_KEY: "key",
      LLM_VENDOR: environment.vendor,
      LLM_MODEL: environment.model === undefined ? undefined : String(environment.model),
      ...(inline && { LLM_PROVIDER_CONFIG: JSON.stringify(inline) }),
    },
    ...(file && { file: "my.json" }),
  });
}

const origins: Readonly<Record<Source, string>> = {
  flags: "flag --",
  inline: "LLM_PROVIDER_CONFIG",
  file: "config my.json",
  environment: "environment LLM_MODEL",
  author: "agent.mdx",
};

/** Every pair of sources, the one that wins first. */
const pairsOf = (among: readonly Source[]): readonly (readonly [Source, Source])[] =>
  among.flatMap((higher, index) => among.slice(index + 1).map((lower) => [higher, lower] as const));

describe("of two sources that name a model, the first counts", () => {
  test.each(pairsOf(sources))("%s before %s", async (higher, lower) => {
    const { models } = await resolved({ [higher]: { model: "openai/high" }, [lower]: { model: "mistral/low" } });
    expect(models.map(({ reference }) => reference.value)).toEqual(["openai/high"]);
    expect(models[0]?.reference.origin).toStartWith(origins[higher]);
  });

  test.each(sources)("%s before a vendor that is detected by its key", async (source) => {
    const { models } = await resolved({ [source]: { model: "openai/high" } });
    expect(models[0]?.reference.value).toBe("openai/high");
  });
});

describe("of two sources that set a field, the first counts", () => {
  const said = sources.filter((source) => source !== "environment");
  const rows: readonly [keyof ResolvedConfiguration, Configuration, Configuration][] = [
    ["temperature", { temperature: 0 }, { temperature: 2 }],
    ["max_tokens", { max_tokens: 1 }, { max_tokens: 2 }],
    ["timeout", { timeout: 0.5 }, { timeout: 9 }],
    ["thinking", { thinking: { budget: 5 } }, { thinking: "off" }],
    ["reasoning_effort", { reasoning_effort: "low" }, { reasoning_effort: "high" }],
    ["stream", { stream: false }, { stream: true }],
    ["retries", { retries: 0 }, { retries: [5, 15, 45] }],
  ];
  for (const [name, high, low] of rows) {
    test.each(pairsOf(said))(`${name}: %s before %s`, async (higher, lower) => {
      const all = await resolved({ [higher]: high, [lower]: low });
      expect<unknown>(all[name]).toEqual({
        value: Object.values(high)[0],
        origin: expect.stringContaining(origins[higher]),
      });
    });
  }

  test.each(pairsOf(said))("offline: %s before %s", async (higher, lower) => {
    const environment = { ANTHROPIC_API_KEY: undefined };
    const one = { [higher]: { offline: true }, [lower]: { offline: false } };
    using directory = temporaryDirectory();
    writeFileSync(join(directory.path, "my.json"), JSON.stringify(one["file"] ?? {}));
    const { models } = await resolveConfiguration({
      flags: one["flags"] ?? {},
      author: one["author"] ?? {},
      environment: { ...environment, LLM_PROVIDER_CONFIG: JSON.stringify(one["inline"] ?? {}) },
      file: "my.json",
      cwd: directory.path,
    });
    expect(models.map(({ reference }) => reference)).toEqual([{ value: "offline", origin: "default" }]);
  });
});

test("fields of several sources make one configuration, and each tells where it came from", async () => {
  const all = await resolved({
    flags: { temperature: 0.1, stream: false, reasoning_effort: "low", max_tokens: 5 },
    inline: { retries: 1 },
    file: { vendor: "openai", model: "gpt-x", timeout: 3 },
    author: { thinking: "off", temperature: 1 },
  });
  expect(all).toEqual({
    keys: [],
    models: [
      {
        reference: { value: "openai/gpt-x", origin: "config my.json" },
        target: expect.objectContaining({ provider: "vendor", name: "gpt-x" }),
      },
    ],
    temperature: { value: 0.1, origin: "flag --temp" },
    max_tokens: { value: 5, origin: "flag --max-tokens" },
    thinking: { value: "off", origin: "agent.mdx" },
    reasoning_effort: { value: "low", origin: "flag --effort" },
    stream: { value: false, origin: "flag --no-stream" },
    retries: { value: 1, origin: "LLM_PROVIDER_CONFIG" },
    timeout: { value: 3, origin: "config my.json" },
  });
});

test("without a source all is as usual: the vendor whose key is set, streamed, 2 repetitions, 120 seconds", async () => {
  const { models, temperature, stream, retries, timeout } = await resolved({});
  expect(models[0]?.reference).toEqual({
    value: "anthropic/claude-sonnet-5-5",
    origin: "detected by ANTHROPIC_API_KEY",
  });
  expect(temperature).toBeUndefined();
  expect([stream, retries, timeout].map(({ value, origin }) => [value, origin])).toEqual([
    [true, "default"],
    [2, "default"],
    [120, "default"],
  ]);
});

test("an answer that comes in one piece may be waited for longer, unless a source says how long", async () => {
  const inOnePiece = { author: { stream: false } };
  expect((await resolved(inOnePiece)).timeout).toEqual({ value: 600, origin: "default" });
  expect((await resolved({ ...inOnePiece, flags: { timeout: 7 } })).timeout.value).toBe(7);
});

test("the result is frozen all through", async () => {
  const all = await resolved({ flags: { model: ["offline"], retries: [1, 2] } });
  expect(Object.isFrozen(all)).toBe(true);
  expect(Object.isFrozen(all.models[0]?.reference)).toBe(true);
  expect(Object.isFrozen(all.retries.value)).toBe(true);
});
