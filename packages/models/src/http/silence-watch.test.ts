import { describe, expect, test } from "bun:test";
import { SilenceWatch } from "./silence-watch.ts";

const silence = 10;

/** Waits out so many silences that something ends each time; no timer has its turn meanwhile. */
function wait(watch: SilenceWatch, silences: number): void {
  for (let count = 0; count < silences; count++) {
    watch.listen();
    Bun.sleepSync(silence + 1);
    watch.hear();
  }
}

describe("a server that sends signs of life and nothing else", () => {
  test("is given up after thirty silences, since an answer may never come", () => {
    const watch = new SilenceWatch(silence, "host");
    wait(watch, 30);
    watch.progress(0);
    expect(watch.signal.aborted).toBe(false);
    wait(watch, 1);
    watch.stop();
    expect(watch.signal.reason).toMatchObject({
      message: "host sent keep-alives and nothing else for 0.3 seconds",
      failure: { kind: "silence", isTransient: true },
    });
  });

  test("has all the time again once a piece of the answer has come", () => {
    const watch = new SilenceWatch(silence, "host");
    wait(watch, 29);
    watch.progress(1);
    wait(watch, 29);
    watch.stop();
    expect(watch.signal.aborted).toBe(false);
  });

  test("is not blamed for the time in which this process stood still", () => {
    const watch = new SilenceWatch(silence, "host");
    watch.listen();
    Bun.sleepSync(40 * silence);
    watch.hear();
    watch.stop();
    expect(watch.signal.aborted).toBe(false);
  });
});
