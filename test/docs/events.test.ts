import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { isRecord } from "@mdx-ai/base";
import { writeFiles } from "../support/agent-files.ts";
import { codeBlocks, codeSpans } from "../support/markdown-text.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const ROOT = join(import.meta.dir, "../..");
const page = await Bun.file(join(ROOT, "docs/reference/events.md")).text();
const union = await Bun.file(join(ROOT, "packages/loop/src/types/event.ts")).text();

const TYPES = [...union.matchAll(/readonly type: "(\w+)"/g)].map(([, type = ""]) => type);
const sections = new Map(
  page.split(/^### /m).map((section) => [section.slice(0, section.indexOf("\n")), section] as const),
);
const examples = codeBlocks(page, "json").map((text): unknown => JSON.parse(text));

/** The names of all fields of a value, but for what tools and models say. */
function fieldsOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(fieldsOf);
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, part]) => [
    name,
    ...(name === "args" || name === "arguments" ? [] : fieldsOf(part)),
  ]);
}

const AGENT = `---
context: { window: 2000 }
---

# Agent: A

## Purpose

Count.

<Tool name="count" description="Counts" permission="ask">

\`\`\`ts
const execute = async (_params: object, ctx: ToolContext) => {
  ctx.update("half way");
  return "3";
};
\`\`\`

</Tool>
`;

const FAILS = '{"error":{"message":"no access","status":403}}\n';

const REPLIES = [
  { error: { message: "no such field", status: 400, isTransient: true, adapted: "the field is left out" } },
  { error: { message: "overloaded", status: 529, retryAfter: 1 } },
  {
    thinking: "Hm.",
    text: "I count.",
    calls: [{ name: "count" }, { name: "bash", arguments: { command: "echo hi" } }],
  },
  { text: "Three." },
];

describe("the page about events", () => {
  test("has a section and an example for each event, and for no other", () => {
    expect([...sections.keys()].slice(1).sort()).toEqual([...TYPES].sort());
    expect(examples.flatMap((example) => (isRecord(example) ? [example["type"]] : [])).sort()).toEqual(
      [...TYPES].sort(),
    );
    for (const type of TYPES) expect(sections.get(type)).toContain(`{"type":"${type}"`);
  });

  test("names every field that a run prints", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, {
      "a/agent.mdx": AGENT,
      "fails.jsonl": FAILS,
      "replies.jsonl": REPLIES.map((reply) => JSON.stringify(reply)).join("\n"),
    });
    const run = (...args: string[]) =>
      runCommandLine(["a", "-p", "hi", "--json", "--trust", "-m", "script:fails.jsonl,script:replies.jsonl", ...args], {
        home: home.path,
      });
    const outputs = [
      await run("--allow", "count", "--allow", "bash"),
      await run("--deny", "count", "--max-turns", "1"),
    ];
    const events = outputs.flatMap(({ stdout }) =>
      stdout
        .trim()
        .split("\n")
        .map((line): unknown => JSON.parse(line)),
    );
    const types = new Set(events.flatMap((event) => (isRecord(event) ? [event["type"]] : [])));
    const others = ["prompt_resumed", "context_compacted", "question_asked", "question_answered", "subagent_event"];
    expect([...types, ...others].sort()).toEqual([...TYPES].sort());
    const named = new Set([...codeSpans(page), ...examples.flatMap(fieldsOf)]);
    expect([...new Set(events.flatMap(fieldsOf))].filter((field) => !named.has(field))).toEqual([]);
  });
});
