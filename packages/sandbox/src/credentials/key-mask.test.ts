import { expect, test } from "bun:test";
import { secretForms } from "@mdx-ai/base";
import fc from "fast-check";
import { randomCases } from "../../../../test/support/random-cases.ts";
import { KeyMask } from "./key-mask.ts";

const KEY = "kék/+very=secret";

function masked(parts: readonly Buffer[], forms: readonly string[]): string {
  const mask = new KeyMask(forms);
  return Buffer.concat([...parts.map((part) => mask.write(part)), mask.end()]).toString();
}

test("a key is replaced in every form, wherever a stream is cut, and nothing else changes", () => {
  const forms = secretForms(KEY);
  const text = fc.array(fc.oneof(fc.constantFrom(...forms, "ké", KEY.slice(0, 9), "\r\n"), fc.string()), {
    maxLength: 8,
  });
  fc.assert(
    fc.property(text, fc.array(fc.nat(200)), (words, cuts) => {
      const bytes = Buffer.from(words.join(""));
      const ends = [...cuts.filter((cut) => cut < bytes.length).toSorted((one, other) => one - other), bytes.length];
      const parts = ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
      const shown = masked(parts, forms);
      expect(shown).toBe(masked([bytes], forms));
      expect(Buffer.byteLength(shown)).toBe(bytes.length);
      for (const form of forms) expect(shown).not.toContain(form);
      expect(
        forms.reduce((rest, form) => rest.replaceAll(form, "*".repeat(Buffer.byteLength(form))), words.join("")).length,
      ).toBe(shown.length);
    }),
    randomCases(),
  );
});

test("only the bytes that may begin a key wait for the next ones", () => {
  const mask = new KeyMask(["secret"]);
  expect(
    ["data: a\n\n", "data: sec", "ond\n\n", "sec", "ret"].map((part) => mask.write(Buffer.from(part)).toString()),
  ).toStrictEqual([...["data: a\n\n", "data: ", "second\n\n", "", "******"]]);
});
