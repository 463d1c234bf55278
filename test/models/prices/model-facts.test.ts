import { describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "@mdx-ai/base";
import { resolveConfiguration, vendorStatuses } from "@mdx-ai/models";
import { modelFacts, type PriceTable, readPrices } from "@mdx-ai/models/prices";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const table: PriceTable = {
  models: {
    "openai/gpt-9": { input: 1, output: 2, window: 1000 },
    "openai/gpt-9-2030-01-31": { input: 1, output: 2, window: 1000 },
    "openai/odd": { input: 1, output: 2 },
    "openai/odd-2030-01-31": { input: 5, output: 9 },
    "openai/only-latest": { input: 1, output: 2 },
    "local/*": { input: 0, output: 0 },
    "local/big": { window: 5 },
  },
};

describe("what is known of a model", () => {
  test.each([
    ["by its own name", "openai", "gpt-9", { input: 1, output: 2, window: 1000 }],
    ["by its family where the date is another", "openai", "gpt-9-2031-12-24", { input: 1, output: 2, window: 1000 }],
    ["by its family where the date has no dashes", "openai", "gpt-9-20311224", { input: 1, output: 2, window: 1000 }],
    ["by its family where it is the latest", "openai", "gpt-9-latest", { input: 1, output: 2, window: 1000 }],
    ["by its own name before its family", "openai", "odd-2030-01-31", { input: 5, output: 9 }],
    ["as OpenAI's where Azure serves it", "azure", "gpt-9", { input: 1, output: 2, window: 1000 }],
    ["by its vendor's star", "local", "whatever", { input: 0, output: 0 }],
    ["by its own name before the star", "local", "big", { window: 5 }],
  ])("is found %s", (_name, provider, model, facts) => {
    expect(modelFacts(provider, model, [table])).toEqual(facts);
  });

  test.each([
    ["another vendor's name", "mistral", "gpt-9"],
    ["a longer name", "openai", "gpt-9-mini"],
    ["a name that only begins alike, with a date", "openai", "gpt-9-mini-2030-01-31"],
    ["a date of a family whose dates differ", "openai", "odd-2031-01-31"],
    ["the latest of a family whose dates differ", "openai", "odd-latest"],
    ["half a date", "openai", "gpt-9-2030-01"],
    ["no name", "openai", ""],
    ["a name that every object has", "__proto__", "constructor"],
    ["upper case", "OpenAI", "GPT-9"],
  ])("is not guessed for %s", (_name, provider, model) => {
    expect(modelFacts(provider, model, [table])).toEqual({});
  });

  test("is the first table's that has it, price and lengths each", () => {
    const above: PriceTable = {
      models: { "openai/gpt-9": { input: 7, output: 8 }, "openai/odd": { window: 9 }, "azure/gpt-9": { window: 3 } },
    };
    const below: PriceTable = { models: { "openai/gpt-9": { input: 1, output: 2, cacheRead: 0.1, window: 4 } } };
    expect(modelFacts("openai", "gpt-9", [above, below])).toEqual({ input: 7, output: 8, window: 4 });
    expect(modelFacts("openai", "odd", [above, table])).toEqual({ window: 9, input: 1, output: 2 });
    expect(modelFacts("azure", "gpt-9", [above, below])).toEqual({ window: 3, input: 7, output: 8 });
  });

  test.each([
    ["ollama", "llama9:70b"],
    ["script", "replies.jsonl"],
    ["offline", "offline"],
  ])("is that %s costs nothing", (provider, model) => {
    expect(modelFacts(provider, model)).toEqual({ input: 0, output: 0 });
  });

  test("is unknown where the source asks no price of a vendor that sells", () => {
    const { input, window } = modelFacts("gemini", "gemma-4-31b-it");
    expect([input, window]).toEqual([undefined, 262_144]);
  });

  test("is that one of a family whose states have different prices is unknown", () => {
    expect(modelFacts("openai", "gpt-4o-2024-05-13").input).toBe(5);
    expect(modelFacts("openai", "gpt-4o").input).toBe(2.5);
    expect(modelFacts("openai", "gpt-4o-2031-01-01")).toEqual({});
    expect(modelFacts("anthropic", "claude-sonnet-4-5-20310101").input).toBe(3);
  });
});

/** The tables where a user has no prices of their own, or those of a folder. */
const tablesOf = (environment: Environment): Promise<readonly PriceTable[]> =>
  readPrices(environment, (warning) => expect(warning).toBe(""));

const [housePrices = { models: {} }] = await tablesOf({});
const vendors = vendorStatuses(await resolveConfiguration({ environment: {}, cwd: "/" }), {});

describe("the built-in price table", () => {
  test("says when and where its prices come from, and in what unit", () => {
    expect(housePrices.date).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(housePrices.source).toMatch(/ \d+\.\d+\.\d+$/);
    expect(housePrices.unit).toBe("USD per million tokens");
  });

  test("names only built-in vendors, each with its models, except one that sells everyone's", () => {
    const named = new Set(Object.keys(housePrices.models).map((name) => name.split("/")[0]));
    const missing = vendors.map(({ name }) => name).filter((name) => !named.has(name));
    expect(missing).toEqual(["openrouter", "azure"]);
    expect([...named].filter((name) => !vendors.some((vendor) => vendor.name === name))).toEqual(["script", "offline"]);
  });

  test("is one that a user may write, too", async () => {
    using folder = temporaryDirectory();
    mkdirSync(join(folder.path, "mdx-ai"));
    writeFileSync(join(folder.path, "mdx-ai/prices.json"), JSON.stringify(housePrices));
    expect(await tablesOf({ XDG_CONFIG_HOME: folder.path })).toEqual([housePrices, housePrices]);
  });

  test("knows what each vendor's own model costs and holds", () => {
    const named = vendors.filter(({ name, model }) => model !== "" && name !== "openrouter");
    const unknown = named.filter(({ name, model }) => {
      const { input, window } = modelFacts(name, model);
      return input === undefined || window === undefined;
    });
    expect(unknown.map(({ name, model }) => `${name}/${model}`)).toEqual([]);
  });

  test("has plausible figures", () => {
    const odd = Object.entries(housePrices.models).filter(
      ([name, { input = 0, output = 0, cacheRead = 0, window }]) => {
        const isLong = window === undefined ? name.endsWith("/*") : window >= 4096 && window <= 20_000_000;
        return !(input >= 0 && input <= 200 && output >= input && output <= 1000 && cacheRead <= input && isLong);
      },
    );
    expect(odd).toEqual([]);
  });
});
