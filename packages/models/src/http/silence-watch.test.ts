import { describe, expect, test } from "bun:test";
import { HandClock } from "../../../../test/support/hand-clock.ts";
import { SilenceWatch } from "./silence-watch.ts";

const SILENCE = 10_000;

function watched() {
  const clock = new HandClock("2026-01-01T00:00:00Z");
  const watch = new SilenceWatch(SILENCE, "host", clock);
  /** Waits out so many silences, but for a millisecond, something ending each. */
  const wait = (silences: number): void => {
    for (let count = 0; count < silences; count++) {
      watch.listen();
      clock.pass(SILENCE - 1);
      watch.hear();
    }
  };
  return { clock, watch, wait };
}

describe("a server that sends signs of life and nothing else", () => {
  test("is given up after thirty silences, since an answer may never come", () => {
    const { watch, wait } = watched();
    wait(30);
    watch.progress(0);
    expect(watch.signal.aborted).toBe(false);
    wait(1);
    watch.stop();
    expect(watch.signal.reason).toMatchObject({
      message: "host sent keep-alives and nothing else for 300 seconds",
      failure: { kind: "silence", isTransient: true },
    });
  });

  test("has all the time again once a piece of the answer has come", () => {
    const { watch, wait } = watched();
    wait(29);
    watch.progress(1);
    wait(29);
    watch.stop();
    expect(watch.signal.aborted).toBe(false);
  });
});

test("a server that sends nothing is given up after its time, and not before", () => {
  const { clock, watch } = watched();
  watch.listen();
  clock.pass(SILENCE - 1);
  expect(watch.signal.aborted).toBe(false);
  clock.pass(1);
  expect(watch.signal.reason).toMatchObject({ message: "host was silent for 10 seconds" });
});

test("a server is not blamed for the time in which this process stood still", () => {
  const { clock, watch } = watched();
  watch.listen();
  clock.stall(40 * SILENCE);
  expect(watch.signal.aborted).toBe(false);
  watch.hear();
  watch.stop();
  clock.pass(SILENCE);
  expect(watch.signal.aborted).toBe(false);
});

test("time without a wait does not count", () => {
  const { clock, watch, wait } = watched();
  wait(1);
  clock.pass(40 * SILENCE);
  expect(watch.signal.aborted).toBe(false);
});
