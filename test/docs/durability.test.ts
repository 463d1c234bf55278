import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { LIVE_JOURNAL, olderJournal } from "../../packages/sessions/src/session/session-journals.ts";
import { COMMANDS } from "../support/cli/arguments.ts";
import { codeSpans } from "../support/markdown-text.ts";

const ROOT = join(import.meta.dir, "../..");
const page = await Bun.file(join(ROOT, "docs/durability.md")).text();

test("the page about durability names commands, flags and scripts that there are", async () => {
  const spans = codeSpans(page);
  const flags = spans.flatMap((text) => text.match(/--[\w-]+/g) ?? []);
  const options = COMMANDS.flatMap(({ options }) => options.map(({ name }) => `--${name}`));
  expect(flags.filter((flag) => !options.includes(flag))).toStrictEqual([]);
  const actions = spans.flatMap((text) => text.match(/mdx-ai sessions DIR (\w+)/)?.[1] ?? []);
  const { positionals = "" } = COMMANDS.find(({ name }) => name === "sessions") ?? {};
  expect(actions.length).toBeGreaterThan(2);
  expect(actions.filter((action) => !positionals.includes(action))).toStrictEqual([]);
  const { scripts } = await Bun.file(join(ROOT, "package.json")).json();
  const run = spans.flatMap((text) => text.match(/^npm run ([\w:]+)$/)?.[1] ?? []);
  expect(run.filter((script) => scripts[script] === undefined)).toStrictEqual([]);
  expect(run).toContain("test:crash");
});

test("it names the files as they are called, and pages that are there", () => {
  for (const name of [LIVE_JOURNAL, olderJournal(1), olderJournal(2)]) expect(page).toContain(`\`${name}\``);
  const links = [...page.matchAll(/\]\(([\w.-]+\.md)\)/g)].map(([, file = ""]) => file);
  expect(links.filter((file) => !existsSync(join(ROOT, "docs", file)))).toStrictEqual([]);
});
