import { expect, test } from "bun:test";
import { join } from "node:path";
import { rules } from "@mdx-ai/parser";

const page = await Bun.file(join(import.meta.dir, "../../docs/reference/diagnostics.md")).text();

test("docs/reference/diagnostics.md shows every rule with its severity, a message and a hint", () => {
  const shown = Array.from(page.matchAll(/^## `([a-z-]+)`\n\n(Error|Warning|Note): \S.* → \S/gm));
  expect(shown.map(([, rule, severity]) => [rule, severity?.toLowerCase()])).toStrictEqual(Object.entries(rules));
});

/** The field has plainer words than these. */
const ODD_WORDS =
  /\b(?:mend(?:s|ed)?|remed(?:y|ies)|told|tells?|anew|heeds|by now|stands? (?:in|there)|comes? to|whoever|blot|leftovers?|spending|ledger|ruling|verdict|touch(?:es)?|is no|are none)\b|\btake \S+ away\b/;

test("the messages and hints of that page use plain words", () => {
  const messages = page.split("\n").filter((line) => /^(?:Error|Warning|Note): /.test(line));
  const texts = messages.map((line) => line.replace(/`[^`]*`/g, "x"));
  expect(texts.filter((line) => ODD_WORDS.test(line))).toStrictEqual([]);
  expect(texts.length).toBeGreaterThan(95);
});
