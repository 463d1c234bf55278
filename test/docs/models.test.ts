import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { parseModelReference } from "@mdx-ai/models";
import { writeFiles } from "../support/agent-files.ts";
import { codeSpans, tableRows } from "../support/markdown-text.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const page = await Bun.file(join(import.meta.dir, "../../docs/models.md")).text();

/** What stands between backticks in each cell of a table, row by row. */
const spansOf = (head: string): readonly (readonly (readonly string[])[])[] =>
  tableRows(page, head).map((cells) => cells.map(codeSpans));

/** What stands between backticks in the first cells of a table. */
const firstSpans = (head: string): readonly string[] => spansOf(head).flatMap(([first = []]) => first);

describe("docs/models.md describes exactly what exists", () => {
  test("of references", () => {
    const name = "claude-opus-5-5";
    const anthropic = { provider: "vendor", vendor: { name: "anthropic" } };
    expect(firstSpans("| reference |").map(parseModelReference)).toMatchObject([
      { ...anthropic, name },
      { ...anthropic, name: "claude-sonnet-5-5" },
      { ...anthropic, name },
      ...["opus", "sonnet", "haiku"].map((family) => ({
        ...anthropic,
        name: expect.stringMatching(new RegExp(`^claude-${family}-\\d`)),
      })),
      { provider: "ai-sdk", package: "@ai-sdk/google", name: "gemini-3.8-flash" },
      { provider: "script", file: "replies.jsonl" },
      { provider: "offline" },
    ]);
  });

  test("of sources, in their order", async () => {
    using home = temporaryDirectory();
    const agent = (settings: string): string => `---\n${settings}\n---\n# Agent: A\n\n## Purpose\n\nBe tested.\n`;
    writeFiles(home.path, {
      "agent/agent.mdx": agent("model: claude-author"),
      "silent/agent.mdx": agent("name: A"),
      "c.yaml": "model: claude-file\n",
    });
    const key = { ANTHROPIC_API_KEY: "k" };
    const variable = { ...key, LLM_MODEL: "claude-variable" };
    const inline = { ...variable, LLM_PROVIDER_CONFIG: '{"model": "claude-inline"}' };
    const file = ["agent", "--config", "c.yaml"];
    const runs = [
      { args: [...file, "--model", "claude-flag"], environment: inline },
      { args: file, environment: inline },
      { args: file, environment: variable },
      { args: ["agent"], environment: variable },
      { args: ["agent"], environment: key },
      { args: ["silent"], environment: key },
      { args: ["silent"], environment: {} },
    ];
    const origins = await Promise.all(
      runs.map(async ({ args, environment }) => {
        const { stdout } = await runCommandLine(["models", ...args, "--json"], { home: home.path, environment });
        const report: { readonly models: readonly { readonly origin: string }[] } = JSON.parse(stdout);
        return report.models.map(({ origin }) => origin);
      }),
    );
    const told = [...page.matchAll(/^\d\. (.*)$/gm)].map(([, source = ""]) => source);
    const words = [
      "flags",
      "`LLM_PROVIDER_CONFIG`",
      "`--config FILE`",
      "`LLM_MODEL`",
      "`agent.mdx`",
      "key",
      "`offline`",
    ];
    expect(told.map((source, place) => source.includes(words[place] ?? "?"))).toEqual(words.map(() => true));
    expect(origins).toEqual([
      ["flag --model"],
      ["LLM_PROVIDER_CONFIG"],
      ["config c.yaml"],
      ["environment LLM_MODEL"],
      ["agent.mdx"],
      ["detected by ANTHROPIC_API_KEY"],
      ["default"],
    ]);
  });
});
