import { expect, test } from "bun:test";
import { parseSkill } from "@mdx-ai/parser/parse";
import { skillCorpus } from "../../support/skill-corpus.ts";

const COUNT = 2_000;

test("skills as people write them are read without a crash, and each that is ignored has a diagnostic", () => {
  let refused = 0;
  for (const { path, text } of skillCorpus(COUNT, 11)) {
    const { definition: skill, diagnostics } = parseSkill(text, path);
    for (const { line, column, message, hint } of diagnostics) {
      expect([line > 0, column > 0, message.includes("\n"), hint]).toStrictEqual([
        true,
        true,
        false,
        expect.any(String),
      ]);
    }
    if (skill !== undefined) continue;
    refused++;
    expect(diagnostics.some(({ message }) => message.includes("ignored"))).toBe(true);
  }
  expect(refused).toBeGreaterThan(0);
  expect(refused).toBeLessThan(COUNT / 100);
});
