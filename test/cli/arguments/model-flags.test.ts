import { describe, expect, test } from "bun:test";
import { COMMANDS } from "../../../packages/cli/src/arguments/command-table.ts";
import { readModelChoice } from "../../../packages/cli/src/arguments/model-flags.ts";
import { parseArguments } from "../../../packages/cli/src/arguments/parse-arguments.ts";

/** What the options of `mdx-ai agent` say of the model. */
async function flags(...args: readonly string[]): Promise<unknown> {
  const spec = COMMANDS.find(({ name }) => name === "agent");
  if (spec === undefined) throw new Error("no such command");
  return readModelChoice(await parseArguments(spec, args)).flags;
}

describe("the options of the model are read", () => {
  const rows: readonly [readonly string[], object][] = [
    [[], {}],
    [["--model", "anthropic/x"], { model: "anthropic/x" }],
    [["--model", "a, b,c"], { model: ["a", "b", "c"] }],
    [["--temp", "0"], { temperature: 0 }],
    [["--temp=.5"], { temperature: 0.5 }],
    [["--max-tokens", "64000"], { max_tokens: 64000 }],
    [["--thinking", "adaptive"], { thinking: "adaptive" }],
    [["--thinking", "off"], { thinking: "off" }],
    [["--thinking", "2048"], { thinking: { budget: 2048 } }],
    [["--effort", "low"], { reasoning_effort: "low" }],
    [["--no-stream"], { stream: false }],
    [["--retries", "0"], { retries: 0 }],
    [["--retries", "5,15, 45"], { retries: [5, 15, 45] }],
    [["--timeout", "0.5"], { timeout: 0.5 }],
    [["--no-offline"], { offline: false }],
  ];
  test.each(rows)("%j", async (args, expected) => {
    expect(await flags(...args)).toEqual(expected);
  });
});

describe("an impossible value is reported with what is expected", () => {
  const rows: readonly [readonly string[], string][] = [
    [["--model", " "], '--model needs a model such as anthropic/claude-sonnet-5-5, or a list of up to 10, and got " "'],
    [["--model", "a,,b"], "--model needs a model"],
    [["--temp", "2.1"], '--temp needs a number from 0 to 2, and got "2.1"'],
    [["--temp", "1e0"], "--temp needs a number"],
    [["--max-tokens", "1.5"], "--max-tokens needs a whole number of at least 1"],
    [["--max-tokens", "0"], "--max-tokens needs a whole number of at least 1"],
    [["--thinking", "hard"], "--thinking needs adaptive, off or a budget of tokens"],
    [["--thinking", "0"], "--thinking needs adaptive, off or a budget of tokens"],
    [["--effort", ""], "--effort needs a word such as low, medium or high"],
    [["--retries", "11"], "--retries needs a whole number from 0 to 10, or a list"],
    [["--retries", "5,"], "--retries needs a whole number from 0 to 10, or a list"],
    [["--retries", "5,-1"], "--retries needs a whole number from 0 to 10, or a list"],
    [["--config", ""], "--config needs a file"],
    [["--timeout", "0"], "--timeout needs a number of seconds above 0"],
    [["--timeout", "1h"], "--timeout needs a number of seconds above 0"],
  ];
  test.each(rows)("%j", async (args, message) => {
    const error: unknown = await flags(...args).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: "UsageError", message: expect.stringContaining(message) });
  });
});
