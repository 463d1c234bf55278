import { expect, test } from "bun:test";
import { isoTime, localTime, momentText, timeText } from "../../../packages/cli/src/output/figures.ts";

/** In the time zone of this machine. */
const MOMENT = new Date(2026, 3, 28, 17, 5, 9).getTime();

test("a time for people is that of the local time zone", () => {
  expect(momentText(MOMENT)).toBe("2026-04-28 17:05:09");
  expect(localTime(MOMENT)).toBe("2026-04-28 17:05");
  expect(timeText(MOMENT)).toBe("17:05:09");
});

test("a time of a far year is whole", () => {
  expect(localTime(new Date(12_026, 0, 2, 3, 4).getTime())).toBe("12026-01-02 03:04");
});

test("a time for programs is ISO 8601 in UTC", () => {
  expect(isoTime(0)).toBe("1970-01-01T00:00:00.000Z");
});

test.each([Number.NaN, 1e300, -1e300, Number.POSITIVE_INFINITY])("what is no date has a question mark: %d", (time) => {
  expect([isoTime(time), localTime(time), momentText(time), timeText(time)]).toStrictEqual([
    "?",
    "?",
    undefined,
    undefined,
  ]);
});
