import { expect, test } from "bun:test";
import { readLocatedJson } from "@mdx-ai/base/json";
import fc from "fast-check";
import { PLAIN_MESSAGE } from "../../support/plain-message.ts";
import { randomCases } from "../../support/random-cases.ts";

test("every JSON is read as JSON.parse reads it", () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 4 }), fc.constantFrom("", " ", "\n", "\t\r\n"), (json, space) => {
      const read = readLocatedJson(`${space}${json}${space}`);
      if ("message" in read) expect(read.message).toContain("second ");
      else expect(read.value).toStrictEqual(JSON.parse(json));
    }),
    randomCases(),
  );
});

test("what JSON.parse refuses is refused at an offset of the text, and nothing throws", () => {
  const parts = fc.constantFrom(
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    '"a"',
    '"',
    "1",
    "-",
    "1e",
    ".5",
    "true",
    "nul",
    "//",
    "/*",
    "\\",
    "\n",
    " ",
    "\u0000",
    "\ud800",
    "'a'",
  );
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 12 }), (pieces) => {
      const text = pieces.join("");
      const read = readLocatedJson(text);
      if (!("message" in read)) expect(read.value).toStrictEqual(JSON.parse(text));
      else {
        expect(read.message).toMatch(PLAIN_MESSAGE);
        expect(read.offset).toBeWithin(0, text.length + 1);
      }
    }),
    randomCases(2_000),
  );
});
