import { describe, expect, test } from "bun:test";
import {
  counted,
  dollars,
  duration,
  exactDuration,
  grouped,
  isoTime,
  localTime,
  momentText,
  timeText,
} from "./figures.ts";

describe("figures for people", () => {
  test.each([
    [0, "0"],
    [999, "999"],
    [1000, "1,000"],
    [1_234_567, "1,234,567"],
  ])("%d has its thousands set apart", (count, text) => {
    expect(grouped(count)).toBe(text);
  });

  test("one token is one", () => {
    expect([1, 0, 1234].map((count) => counted(count, "token"))).toEqual(["1 token", "0 tokens", "1,234 tokens"]);
  });

  test.each([
    [0, "$0"],
    [-1, "$0"],
    [0.0123, "$0.0123"],
    [0.5, "$0.50"],
    [0.00004239, "$0.000042"],
    [0.000000001, "$0.000000001"],
    [1, "$1.00"],
    [0.99999, "$1.00"],
    [1234.5, "$1,234.50"],
    [2.345, "$2.35"],
  ])("%d dollars are as exact as they matter", (amount, text) => {
    expect(dollars(amount)).toBe(text);
  });

  test.each([
    [0, "0 s"],
    [40, "0 s"],
    [350, "0.4 s"],
    [2000, "2 s"],
    [59_940, "59.9 s"],
    [59_960, "1 min"],
    [185_400, "3 min 5 s"],
    [3_665_000, "1 h 1 min"],
    [187_200_000, "2 d 4 h"],
  ])("%d milliseconds are rounded to tenths of a second, then to the smaller of two units", (milliseconds, text) => {
    expect(duration(milliseconds)).toBe(text);
  });

  test.each([
    [0, "0 ms"],
    [999.4, "999 ms"],
    [999.5, "1 s"],
    [1240, "1.24 s"],
    [59_994, "59.99 s"],
    [59_996, "1 min"],
    [185_000, "3 min 5 s"],
    [3_599_600, "1 h"],
    [29_520_000, "8 h 12 min"],
    [86_399_999, "1 d"],
    [187_200_000, "2 d 4 h"],
  ])("%d milliseconds are %s if they matter", (milliseconds, text) => {
    expect(exactDuration(milliseconds)).toBe(text);
  });
});

/** In the time zone of this machine. */
const MOMENT = new Date(2026, 3, 28, 17, 5, 9).getTime();

test("a time for people is in the local time zone", () => {
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
