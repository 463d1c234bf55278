import { describe, expect, test } from "bun:test";
import { runCommandLine } from "../../support/run-command-line.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

/** What `mdx-ai models` says with these options. */
async function models(...args: readonly string[]) {
  using home = temporaryDirectory();
  return runCommandLine(["models", ...args, "--json"], { home: home.path });
}

describe("the options of the model are read", () => {
  const rows: readonly [readonly string[], Record<string, unknown>][] = [
    [[], {}],
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
  ];
  test.each(rows)("%j", async (args, expected) => {
    const { settings }: { settings: Record<string, { value: unknown; origin: string }> } = JSON.parse(
      (await models(...args)).stdout,
    );
    const said = Object.entries(settings).filter(([, { origin }]) => origin.startsWith("flag "));
    expect(Object.fromEntries(said.map(([name, { value }]) => [name, value]))).toStrictEqual(expected);
  });

  test.each([
    [["--model", "anthropic/x"], ["anthropic/x"]],
    [
      ["--model", "anthropic/x, openai/y,mistral/z"],
      ["anthropic/x", "openai/y", "mistral/z"],
    ],
    [[], ["offline"]],
  ])("%j asks %j", async (args, references) => {
    const report: { models: { reference: string }[] } = JSON.parse((await models(...args)).stdout);
    expect(report.models.map(({ reference }) => reference)).toStrictEqual(references);
  });

  test("--no-offline fails without a model", async () => {
    expect(JSON.parse((await models("--no-offline")).stdout).models).toStrictEqual([]);
  });
});

describe("an impossible value is reported with what is expected", () => {
  const rows: readonly [readonly string[], string][] = [
    [
      ["--model", " "],
      '--model needs a model such as `anthropic/claude-sonnet-5-5`, or a list of up to 10, but got " "',
    ],
    [["--model", "a,,b"], "--model needs a model"],
    [["--temp", "2.1"], '--temp needs a number from 0 to 2, but got "2.1"'],
    [["--temp", "1e0"], "--temp needs a number"],
    [["--max-tokens", "1.5"], "--max-tokens needs a whole number above 0"],
    [["--max-tokens", "0"], "--max-tokens needs a whole number above 0"],
    [["--thinking", "hard"], "--thinking needs `adaptive`, `off` or a budget of tokens"],
    [["--thinking", "0"], "--thinking needs `adaptive`, `off` or a budget of tokens"],
    [["--effort", ""], "--effort needs a word such as `low`, `medium` or `high`"],
    [["--retries", "11"], "--retries needs a whole number from 0 to 10, or a list"],
    [["--retries", "5,"], "--retries needs a whole number from 0 to 10, or a list"],
    [["--retries", "5,-1"], "--retries needs a whole number from 0 to 10, or a list"],
    [["--config", ""], "--config needs a file"],
    [["--timeout", "0"], "--timeout needs a number of seconds above 0"],
    [["--timeout", "1h"], "--timeout needs a number of seconds above 0"],
  ];
  test.each(rows)("%j", async (args, message) => {
    const { exitCode, stderr } = await models(...args);
    expect([exitCode, stderr]).toStrictEqual([2, expect.stringContaining(message)]);
  });
});
