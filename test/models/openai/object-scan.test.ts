import { describe, expect, test } from "bun:test";
import { ObjectScan } from "../../../packages/models/src/openai/object-scan.ts";

/** At which character of a text its object is over; undefined where it never is. */
function endOf(text: string): number | undefined {
  const scan = new ObjectScan();
  return Array.from(text).findIndex((character) => {
    scan.add(character);
    return scan.isOver;
  });
}

describe("an object that arrives piece by piece is over", () => {
  test.each(["{}", '{"a":1}', ' {"a":{"b":[{}]}}', '{"a":"}"}', '{"a":"\\"}"}', '{"\\\\":"\\\\"}', '{"}":"{"}'])(
    "with its last brace: %s",
    (text) => {
      expect(endOf(text)).toBe(text.length - 1);
      const scan = new ObjectScan();
      scan.add(text);
      scan.add('{"more"');
      expect(scan.isOver).toBe(true);
    },
  );

  test.each(["", "{", '{"a":"}', '{"a":"\\"}', '{"a":{}', '"{}"', "}", "[1]"])("never, without one: %j", (text) => {
    expect(endOf(text)).toBe(-1);
  });
});
