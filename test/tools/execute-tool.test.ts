import { describe, expect, test } from "bun:test";
import type { AgentTool } from "@mdx-ai/loop";
import { executeTool } from "@mdx-ai/tools";
import { textOf, toolContext } from "../support/tool-context.ts";

const context = toolContext("/tmp");

type Execute = (...args: Parameters<AgentTool["execute"]>) => unknown;

/** A tool that may do whatever an author's code may do, whatever its type promises. */
function toolDoing(execute: Execute, parameters = {}): AgentTool {
  return {
    name: "tool",
    description: "",
    parameters,
    execute: async (...args) => {
      const untyped: object = { value: await execute(...args) };
      return Reflect.get(untyped, "value");
    },
  };
}

const outcomeOf = (execute: Execute): ReturnType<typeof executeTool> => executeTool(toolDoing(execute), {}, context);

describe("what a tool returns", () => {
  test.each([
    ["a string", "text", "text"],
    ["nothing", undefined, "[the tool returned nothing]"],
    ["a map", new Map([["a", new Set([1, 2])]]), '{"a":[1,2]}'],
    ["a map of other keys", new Map([[1, "b"]]), '[[1,"b"]]'],
    ["a set within an object", { a: new Set(["b"]) }, '{"a":["b"]}'],
    ["an error", new TypeError("no"), '{"name":"TypeError","message":"no"}'],
    ["an object of a class that has JSON", new URL("https://a.example"), '"https://a.example/"'],
    ["an empty object", {}, "{}"],
    ["null", null, "null"],
    ["a number", 42, "42"],
    ["an object", { a: [1, "b"] }, '{"a":[1,"b"]}'],
    ["an object whose content is no content", { content: [1] }, '{"content":[1]}'],
    ["a result", { content: [{ type: "text", text: "a" }] }, "a"],
    ["a result whose content is a string", { content: "a" }, "a"],
    ["an empty list of content", { content: [] }, ""],
  ])("%s becomes text", async (_name, value, text) => {
    const result = await outcomeOf(() => value);
    expect(textOf(result)).toBe(text);
    expect(result.isError).toBe(false);
  });

  const cycle: Record<string, unknown> = {};
  cycle["self"] = cycle;
  test.each([
    ["a function", () => 1],
    ["a symbol", Symbol("a")],
    ["a big integer", 10n],
    ["a cycle", cycle],
    ["the answer of a server", new Response("text")],
    ["an object of a class without members", new (class Counter {})()],
    ["details in a cycle", { content: "a", details: cycle }],
  ])("%s is an error result", async (_name, value) => {
    const result = await outcomeOf(() => value);
    expect(textOf(result)).toMatch(/not JSON|of which JSON shows nothing/);
    expect(result.isError).toBe(true);
  });

  test("an error result and its details are kept", async () => {
    const value = { content: [{ type: "text", text: "a" }], isError: true, details: { code: 7 } };
    const result = await outcomeOf(() => value);
    expect(result).toEqual({ content: [{ type: "text", text: "a" }], isError: true, details: { code: 7 } });
  });

  test("keys of content that no provider knows are left out", async () => {
    const value = { content: [{ type: "text", text: "a", extra: 1 }] };
    const result = await outcomeOf(() => value);
    expect(result.content).toEqual([{ type: "text", text: "a" }]);
  });

  test("details that are too large are replaced by their size", async () => {
    const value = { content: "a", details: "x".repeat(300_000) };
    const result = await outcomeOf(() => value);
    expect(result.details).toEqual({ dropped: 300_002 });
  });
});

describe("what a tool throws", () => {
  test.each([
    ["an error", new Error("no such city"), "no such city"],
    ["an error of the language", new TypeError("x is not a function"), "TypeError: x is not a function"],
    ["an error without message", new RangeError(), "RangeError"],
    ["a string", "broken", "broken"],
    ["an object with a message", { message: "broken" }, "broken"],
    ["nothing", undefined, "undefined was thrown"],
  ])("%s becomes error text", async (_name, thrown, text) => {
    const tool = toolDoing(() => {
      throw thrown;
    });
    const result = await executeTool(tool, {}, context);
    expect(textOf(result)).toBe(text);
    expect(result.isError).toBe(true);
  });

  test("an error whose getters throw costs no more than others", async () => {
    const hostile = {
      get message() {
        throw new Error("again");
      },
    };
    const result = await outcomeOf(() => Promise.reject(hostile));
    expect(result.isError).toBe(true);
  });
});

describe("output over 32,000 characters", () => {
  test("is cut, with the number of characters dropped", async () => {
    const result = await outcomeOf(() => "x".repeat(40_000));
    expect(textOf(result)).toStartWith(`${"x".repeat(32_000)}\n[8000 characters dropped`);
  });

  test.each([-5, 1.5, Number.NaN, 1e300])("is not what a tool says with dropped: %d", async (dropped) => {
    expect(textOf(await outcomeOf(() => ({ content: "all", dropped })))).toBe("all");
  });

  test("of exactly 32,000 is whole", async () => {
    const result = await outcomeOf(() => "x".repeat(32_000));
    expect(textOf(result)).toBe("x".repeat(32_000));
  });

  test("is counted over all blocks together, and images stay", async () => {
    const image = { type: "image", data: "AAAA", mimeType: "image/png" };
    const value = { content: [text("a", 20_000), image, text("b", 20_000), text("c", 5)] };
    const result = await outcomeOf(() => value);
    expect(result.content.map((block) => block.type)).toEqual(["text", "image", "text"]);
    expect(textOf(result)).toContain(`${"b".repeat(12_000)}\n[8005 characters dropped`);
  });

  test("is never cut within a surrogate pair", async () => {
    const result = await outcomeOf(() => `x${"😀".repeat(20_000)}`);
    expect(textOf(result).isWellFormed()).toBe(true);
    expect(textOf(result)).toContain("[8002 characters dropped");
  });

  const text = (letter: string, length: number) => ({ type: "text", text: letter.repeat(length) });
});

describe("arguments", () => {
  const parameters = {
    type: "object",
    properties: {
      city: { type: "string", description: "City name" },
      days: { type: "integer", minimum: 1 },
      unit: { enum: ["C", "F"] },
      zip: { type: "string", pattern: "^\\d{4}$" },
      note: { type: ["string", "null"] },
      places: {
        type: "array",
        items: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
      },
    },
    required: ["city"],
  };

  test.each([
    [{}, 'parameter "city" is missing (string: City name)'],
    [{ city: 3.5 }, 'parameter "city" must be string, not number 3.5'],
    [{ city: null }, 'parameter "city" must be string, not null'],
    [{ city: "a", days: 1.5 }, 'parameter "days" must be integer, not number 1.5'],
    [{ city: "a", days: 0 }, 'parameter "days" must be at least 1, not 0'],
    [{ city: "a", zip: "12" }, 'parameter "zip" must be a text that matches `^\\d{4}$`, not "12"'],
    [{ city: "a", note: {} }, 'parameter "note" must be string or null, not object'],
    [{ city: "a", unit: "K" }, 'parameter "unit" must be one of ["C","F"], not "K"'],
    [{ city: "a", places: [{ name: "b" }, {}] }, 'parameter "places[1].name" is missing'],
    [{ city: "a", places: [{ name: 1.5 }] }, 'parameter "places[0].name" must be string, not number 1.5'],
    [{ city: "a", town: "b" }, 'parameter "town" is unknown; available: city, days, unit, zip, note, places'],
    [{ city: "a", day: 1, place: 1 }, 'parameter "day" is unknown; did you mean "days"?; parameter "place" is unknown'],
    [{ city: "a", places: [{ name: "b", nam: 1 }] }, 'parameter "places[0].nam" is unknown; did you mean "name"?'],
    [
      { city: ["a", "b"], days: "two" },
      'parameter "city" must be string, not array; parameter "days" must be integer, not string',
    ],
  ])("%j are refused before the tool sees them", async (args, text) => {
    let ran = false;
    const result = await executeTool(
      toolDoing(() => (ran = true), parameters),
      args,
      context,
    );
    expect(textOf(result)).toContain(text);
    expect(result.isError).toBe(true);
    expect(ran).toBe(false);
  });

  test("that are missing are each named once", async () => {
    const schema = { type: "object", properties: { a: {}, b: {} }, required: ["a", "b"] };
    const result = await executeTool(
      toolDoing(() => "ran", schema),
      {},
      context,
    );
    expect(textOf(result)).toBe(
      'invalid arguments: parameter "a" is missing; parameter "b" is missing. Example: tool {"a":"<a>","b":"<b>"}',
    );
  });

  test("that are unknown are refused, unless the schema is open to them or names none", async () => {
    const given = { city: "a", other: 1 };
    const run = async (schema: object) =>
      textOf(
        await executeTool(
          toolDoing((args) => args, schema),
          given,
          context,
        ),
      );
    const open = [
      { ...parameters, additionalProperties: true },
      { ...parameters, patternProperties: { "^o": {} } },
    ];
    for (const schema of [...open, { type: "object" }]) expect(await run(schema)).toBe('{"city":"a","other":1}');
    for (const schema of [parameters, { ...parameters, additionalProperties: false }]) {
      expect(await run(schema)).toBe(
        'invalid arguments: parameter "other" is unknown; available: city, days, unit, zip, note, places. Example: tool {"city":"<city>"}',
      );
    }
    expect(await run({ type: "object", additionalProperties: false })).toContain('"city" is unknown: there are no');
  });

  test("that are omitted are filled in, and the call's arguments stay unchanged", async () => {
    const schema = { type: "object", properties: { city: { type: "string" }, days: { type: "integer", default: 3 } } };
    const given = { city: "a" };
    const seen = toolDoing((args) => args, schema);
    expect(textOf(await executeTool(seen, given, context))).toBe('{"city":"a","days":3}');
    expect(given).toStrictEqual({ city: "a" });
  });

  test("that may be null are not those that may be left out", async () => {
    const schema = {
      type: "object",
      properties: { note: { type: ["string", "null"] }, tag: { type: "string" } },
      required: ["note"],
    };
    const tool = toolDoing((args) => args, schema);
    expect(textOf(await executeTool(tool, { note: null }, context))).toBe('{"note":null}');
    const reported = textOf(await executeTool(tool, { tag: null }, context));
    expect(reported).toBe(
      'invalid arguments: parameter "note" is missing (string or null). Example: tool {"note":"<note>"}',
    );
  });

  test("cannot be checked with a broken schema, which is an error result", async () => {
    const result = await executeTool(
      toolDoing(() => "a", { $ref: "#/nowhere" }),
      {},
      context,
    );
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain("schema of the tool's parameters cannot be used");
  });
});

describe("an abort", () => {
  test("answers at once, even if the tool does not heed the signal", async () => {
    const abortion = new AbortController();
    const running = executeTool(
      toolDoing(() => new Promise(() => {})),
      {},
      toolContext("/tmp", abortion.signal),
    );
    abortion.abort();
    const result = await running;
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain("aborted");
  });

  test("before the call keeps the tool from running", async () => {
    let ran = false;
    const tool = toolDoing(() => (ran = true));
    const result = await executeTool(tool, {}, toolContext("/tmp", AbortSignal.abort()));
    expect(result.isError).toBe(true);
    expect(ran).toBe(false);
  });

  test("makes nothing of what the tool rejects with afterwards", async () => {
    const abortion = new AbortController();
    const late = Promise.withResolvers<never>();
    const begun = Promise.withResolvers<void>();
    const waiting = (): Promise<never> => {
      begun.resolve();
      return late.promise;
    };
    const running = executeTool(toolDoing(waiting), {}, toolContext("/tmp", abortion.signal));
    await begun.promise;
    abortion.abort();
    await running;
    late.reject(new Error("late"));
    await Bun.sleep(1);
  });
});
