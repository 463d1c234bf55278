import { expect, test } from "bun:test";
import { systemClock } from "@mdx-ai/base";

test("the machine's clock calls back once and not after it was cancelled", async () => {
  const calls: string[] = [];
  const cancel = systemClock.after(1, () => calls.push("cancelled"));
  cancel();
  await new Promise<void>((resolve) => {
    systemClock.after(1, () => calls.push("first"));
    systemClock.after(20, resolve);
  });
  expect(calls).toEqual(["first"]);
});

test("a wait that is longer than a timer of 32 bits does not end at once", async () => {
  let ended = false;
  const cancel = systemClock.after(2 ** 31 + 5, () => {
    ended = true;
  });
  const forever = systemClock.after(Number.POSITIVE_INFINITY, () => {
    ended = true;
  });
  await new Promise<void>((resolve) => systemClock.after(50, resolve));
  expect(ended).toBe(false);
  cancel();
  forever();
});
