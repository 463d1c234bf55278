import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { busyWithin, placeOf, spanOf, ticksOf, timeScale, wholeSpan } from "../../../support/cli/trace.ts";
import { randomCases } from "../../../support/random-cases.ts";

const HOUR = 3_600_000;
const span = (from: number, to: number) => ({ from, to });

describe("a scale of time", () => {
  test("draws a night's pause short, and what was before and after it in proportion", () => {
    const scale = timeScale([span(0, 3000), span(1000, 6000), span(9 * HOUR, 9 * HOUR + 6000)], 0.25);
    expect(scale.busy).toBe(12_000);
    expect(scale.breaks).toMatchObject([{ start: 0.48, end: 0.52, length: 9 * HOUR - 6000 }]);
    expect([0, 3000, 6000, HOUR, 9 * HOUR, 9 * HOUR + 6000].map((time) => placeOf(scale, time))).toStrictEqual([
      0, 0.24, 0.48, 0.48, 0.52, 1,
    ]);
  });

  test("has no break at a pause that is short beside the work, or that nobody notices", () => {
    expect(timeScale([span(0, 60_000), span(70_000, 80_000)], 0.25).breaks).toStrictEqual([]);
    expect(timeScale([span(0, 10), span(1900, 1910)], 0.25).breaks).toStrictEqual([]);
    expect(timeScale([span(0, 10), span(2100, 2110)], 0.25).breaks).toHaveLength(1);
  });

  test("leaves room for the work however many breaks there are", () => {
    const scale = timeScale(
      Array.from({ length: 500 }, (_, number) => span(number * HOUR, number * HOUR + 1000)),
      0.25,
    );
    const room = scale.runs.reduce((sum, run) => sum + run.end - run.start, 0);
    expect(room).toBeCloseTo(0.7);
  });

  test("is there for nothing, and for moments alone", () => {
    expect(placeOf(timeScale([], 0.25), 5)).toBe(0);
    const moments = timeScale([span(7, 7), span(HOUR, HOUR)], 0.25);
    expect([placeOf(moments, 7), placeOf(moments, HOUR)]).toStrictEqual([0, 0.52]);
  });

  test("measures how much of a span was work", () => {
    const scale = timeScale([span(0, 1000), span(HOUR, HOUR + 500)], 0.25);
    expect(busyWithin(scale, span(400, HOUR + 100))).toBe(700);
  });

  test("ends at 1 sharp, though its parts are rounded", () => {
    const last = 2000.0078125000002;
    const scale = timeScale([span(0, 0.007812500000000002), span(last, last)], 0.25);
    expect([placeOf(scale, last), scale.breaks[0]?.end]).toStrictEqual([1, 1]);
  });

  test("keeps every order of times within its bounds, whatever they are", () => {
    const time = fc.double({ min: -8e15, max: 8e15, noNaN: true });
    const spans = fc.array(fc.tuple(time, fc.double({ min: 0, max: 1e12, noNaN: true })), { maxLength: 30 });
    fc.assert(
      fc.property(spans, fc.array(time, { maxLength: 20 }), (pairs, times) => {
        const scale = timeScale(
          pairs.flatMap(([from, length]) => spanOf(from, length) ?? []),
          0.25,
        );
        const places = times.toSorted((one, other) => one - other).map((moment) => placeOf(scale, moment));
        expect(places).toStrictEqual(places.toSorted((one, other) => one - other));
        expect(places.every((place) => place >= 0 && place <= 1)).toBe(true);
        expect(ticksOf(scale).length).toBeLessThan(12);
      }),
      randomCases(),
    );
  });
});

describe("a span", () => {
  test("is none without a valid date", () => {
    expect([spanOf(1e300), spanOf(-9e15), spanOf(8e15, 1e15), spanOf(Number.NaN)]).toStrictEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(spanOf(5, -3)).toStrictEqual({ from: 5, to: 5 });
  });

  test("reaches from the first moment to the last", () => {
    expect(wholeSpan([span(4, 5), span(1, 2), span(3, 9)])).toStrictEqual({ from: 1, to: 9 });
    expect(wholeSpan([])).toBeUndefined();
  });
});

describe("the marks of an axis", () => {
  const labels = (to: number): readonly string[] => ticksOf(timeScale([span(0, to)], 0.25)).map(({ label }) => label);

  test.each([
    [12, ["0", "2 ms", "4 ms", "6 ms", "8 ms", "10 ms"]],
    [900, ["0", "200 ms", "400 ms", "600 ms", "800 ms"]],
    [11_000, ["0", "2 s", "4 s", "6 s", "8 s", "10 s"]],
    [HOUR, ["0", "10 min", "20 min", "30 min", "40 min", "50 min"]],
  ])("of %d milliseconds are round", (length, expected) => {
    expect(labels(length)).toStrictEqual(expected);
  });

  test("name the time of day behind a break, and keep apart", () => {
    const ticks = ticksOf(timeScale([span(0, 6000), span(9 * HOUR, 9 * HOUR + 6000)], 0.25));
    expect(ticks.map(({ label }) => label)).toContainEqual(expect.stringMatching(/^\d\d:00:00$/));
    for (const [place, tick] of ticks.slice(1).entries()) {
      expect(tick.place - (ticks[place]?.place ?? 0)).toBeGreaterThanOrEqual(0.1);
    }
  });
});
