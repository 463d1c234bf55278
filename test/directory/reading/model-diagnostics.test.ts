import { expect, test } from "bun:test";
import { join } from "node:path";
import { readDirectory } from "@mdx-ai/directory";
import { writeFiles } from "../../support/agent-files.ts";
import { agentText } from "../../support/agent-text.ts";
import { surroundingsIn } from "../../support/front-end.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

interface Other {
  readonly prose?: string;
  readonly files?: Readonly<Record<string, string>>;
}

/** The errors and the fixes of an agent with this frontmatter, as it is read now and as it is read from the cache. */
async function mistakesOf(frontmatter: string, { prose = "", files = {} }: Other = {}) {
  using home = temporaryDirectory();
  const text = `---\n${frontmatter}\n---\n\n${agentText("")}\n${prose}`;
  writeFiles(join(home.path, "agent"), { "agent.mdx": text, "skills/.gitkeep": "", ...files });
  const read = async () => (await readDirectory("agent", surroundingsIn(home.path))).diagnostics;
  const diagnostics = await read();
  expect(await read()).toStrictEqual(diagnostics);
  return diagnostics.map(({ file, line, column, message, fix }) => [
    `${file}:${line}:${column} ${message.split(", expected")[0]}`,
    fix?.text,
  ]);
}

/** Larger than what is parsed in one go. */
const LONG = "Brew the tea, and *never* boil it.\n\n".repeat(400);

test.each([
  ["model: sonnet", []],
  ["model: tea", ["agent.mdx:2:8 unexpected `tea` as `model`"]],
  [
    "model: [opus, tea, milk]",
    ["agent.mdx:2:15 unexpected `tea` as `model`", "agent.mdx:2:20 unexpected `milk` as `model`"],
  ],
  ["memory:\n  model: tea", ["agent.mdx:3:10 unexpected `tea` as `memory.model`"]],
  ["memory:\n  embeddings: tea", ["agent.mdx:3:15 unexpected `tea` as `memory.embeddings`"]],
])("a model that no vendor has is an error at its place: %s", async (frontmatter, mistakes) => {
  for (const prose of ["", LONG]) {
    expect((await mistakesOf(frontmatter, { prose })).map(([mistake]) => mistake)).toStrictEqual(mistakes);
  }
});

test.each([
  ["mode: sonnet", "model"],
  ["mode: subagent", undefined],
])("a setting is renamed to `model` if its value is a model that is known: %s", async (frontmatter, fix) => {
  const mistake = "agent.mdx:2:1 unexpected setting `mode`";
  expect(await mistakesOf(frontmatter)).toStrictEqual([[mistake, fix]]);
});

test.each([
  ["sonnet", []],
  ["inherit", []],
  ["tea", ["heartbeat.md:4:1 unexpected `tea` as `@model`", "heartbeat.md:10:3 unexpected `tea` as `@model`"]],
])("the same for a model in heartbeat.md: %s", async (model, mistakes) => {
  const text = `## Schedule\n\n@every: 1h\n@model: ${model}\n\n## Routine Tasks\n\n- Every hour: Brew
  @session: main\n  @model: ${model}\n`;
  const found = await mistakesOf("model: sonnet", { files: { "heartbeat.md": text } });
  expect(found.map(([mistake]) => mistake)).toStrictEqual(mistakes);
});
