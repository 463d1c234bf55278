import { describe, expect, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { modelFacts, readPrices } from "@mdx-ai/models/prices";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

/** Reads what stands in a user's file; the warnings have its folder left out. */
async function read(text: string | Buffer): Promise<{ facts: unknown; warnings: readonly string[] }> {
  using folder = temporaryDirectory();
  mkdirSync(join(folder.path, "mdx-ai"));
  writeFileSync(join(folder.path, "mdx-ai/prices.json"), text);
  const warnings: string[] = [];
  const tables = await readPrices({ XDG_CONFIG_HOME: folder.path }, (message) => warnings.push(message));
  return {
    facts: modelFacts("own", "model", tables),
    warnings: warnings.map((message) => message.replaceAll(`${folder.path}/mdx-ai/`, "")),
  };
}

const entry = (facts: string): string => `{\n  "models": {\n    "own/model": ${facts}\n  }\n}\n`;

describe("the user's prices", () => {
  test("take precedence over the built-in ones, which apply to the rest", async () => {
    using folder = temporaryDirectory();
    mkdirSync(join(folder.path, ".config/mdx-ai"), { recursive: true });
    const models = { "anthropic/claude-haiku-4-5": { input: 100, output: 200 }, "ollama/*": { window: 32_768 } };
    const form = { date: "2026-11-20", source: "my contract", unit: "USD per million tokens", models };
    writeFileSync(join(folder.path, ".config/mdx-ai/prices.json"), JSON.stringify(form));
    const tables = await readPrices({ HOME: folder.path }, (message) => expect(message).toBe(""));
    expect(modelFacts("anthropic", "claude-haiku-4-5", tables)).toEqual({
      input: 100,
      output: 200,
      window: 200_000,
      maxOutput: 64_000,
    });
    expect(modelFacts("ollama", "any", tables)).toEqual({ input: 0, output: 0, window: 32_768 });
    expect(modelFacts("openai", "gpt-4o", tables).input).toBe(2.5);
  });

  test.each([
    ["a comma too many", entry('{ "input": 1, "output": 2, }')],
    ["a byte-order mark", `\uFEFF${entry('{ "input": 1, "output": 2 }')}`],
    ["Windows line ends", entry('{ "input": 1, "output": 2 }').replaceAll("\n", "\r\n")],
  ])("may have %s", async (_name, text) => {
    expect(await read(text)).toEqual({ facts: { input: 1, output: 2 }, warnings: [] });
  });

  test.each([
    ["a field that there is not", entry('{ "imput": 1 }'), "tools; did you mean `input`?"],
    [
      "a field that nobody means",
      entry('{ "x": 1 }'),
      "3:20 unexpected field `models.own/model.x`, expected one of input, output",
    ],
    ["a field above", '{ "modells": {} }', "1:1 no `models`, expected one"],
    ["no models", '{ "date": "2026-11-21" }', "1:1 no `models`, expected one"],
    [
      "another unit",
      '{ "unit": "EUR", "models": {} }',
      '1:11 unexpected `EUR` as `unit`, expected "USD per million tokens"',
    ],
    ["half a price", entry('{ "input": 1 }'), "3:5 no `models.own/model.output`, expected one"],
    ["a tier without a price", entry('{ "tiers": [] }'), "3:5 no `models.own/model.input`, expected one"],
    [
      "a price as text",
      entry('{ "input": "1" }'),
      "3:29 unexpected `1` as `models.own/model.input`, expected US dollars from 0 to 1000000; write `1`",
    ],
    [
      "a price below nothing",
      entry('{ "input": -1 }'),
      "3:29 unexpected `-1` as `models.own/model.input`, expected US dollars",
    ],
    [
      "a price beyond numbers",
      entry('{ "input": 1e999 }'),
      "3:29 unexpected nothing as `models.own/model.input`, expected US dollars",
    ],
    [
      "half a token",
      entry('{ "window": 1.5 }'),
      "3:30 unexpected `1.5` as `models.own/model.window`, expected a whole number of tokens",
    ],
    [
      "a bad tier",
      entry('{ "input": 1, "output": 1, "tiers": [{ "above": 0 }] }'),
      "3:55 no `models.own/model.tiers.input`, expected one",
    ],
    [
      "a name without a vendor",
      '{ "models": { "gpt": {} } }',
      "1:15 unexpected name `gpt` of a model, expected vendor/name",
    ],
    ["a name of every object", '{ "models": { "__proto__": {} } }', "1:15 unexpected"],
    ["a field of every object", entry('{ "constructor": 1 }'), "3:20 unexpected field `models.own/model.constructor`"],
    ["a list", "[]", "1:1 cannot read the JSON ("],
    ["nothing in it", "", "1:1 no `models`, expected one"],
    ["something else in it", "hello", "1:1 cannot read the JSON ("],
    ["no end", '{\n  "models": {', "2:"],
    ["a comma too few", '{ "date": "x"\n  "models": {} }', ":"],
    ["a word that is no value", entry('{ "input": tru }'), "3:"],
    ["what is no text", Buffer.from([0xff, 0xfe, 0x00, 0x7b]), "1:"],
  ])("with %s are not used, and the position is reported", async (_name, text, start) => {
    const { facts, warnings } = await read(text);
    expect(facts).toEqual({});
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toStartWith("prices.json:");
    expect(warnings[0]).toContain(start);
    expect(warnings[0]).toEndWith("; the price table is ignored");
    expect(warnings[0]).not.toContain("\n");
  });

  test("are none if the path is something else, which is reported without waiting", async () => {
    using folder = temporaryDirectory();
    const warnings: string[] = [];
    const place = (name: string): string => {
      mkdirSync(join(folder.path, name, "mdx-ai"), { recursive: true });
      return join(folder.path, name, "mdx-ai/prices.json");
    };
    mkdirSync(place("folder"));
    Bun.spawnSync(["mkfifo", place("pipe")]);
    writeFileSync(place("huge"), " ".repeat(2_000_000));
    symlinkSync("prices.json", place("circle"));
    for (const name of ["folder", "pipe", "huge", "circle"]) {
      const environment = { XDG_CONFIG_HOME: join(folder.path, name) };
      expect(await readPrices(environment, (message) => warnings.push(message))).toHaveLength(1);
    }
    expect(warnings).toEqual([
      expect.stringContaining("is not a regular file"),
      expect.stringContaining("is not a regular file"),
      expect.stringContaining("is larger than 1048576 bytes"),
      expect.stringContaining("ELOOP"),
    ]);
  });

  test.each([
    ["there is no file", { HOME: "/nonexistent" }],
    ["there is no home", {}],
    ["the home is no absolute path", { HOME: ".", XDG_CONFIG_HOME: "." }],
  ])("are none, without a word, where %s", async (_name, environment) => {
    expect(await readPrices(environment, (message) => expect(message).toBe(""))).toHaveLength(1);
  });
});
