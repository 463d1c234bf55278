import { expect, test } from "bun:test";
import { Turns } from "../../packages/runtime/src/turns.ts";

test("one works at a time, in the order in which they ask, also after one fails", async () => {
  const turns = new Turns();
  const events: string[] = [];
  const work = (name: string) => async (): Promise<string> => {
    events.push(`${name} begins`);
    await Bun.sleep(1);
    events.push(`${name} ends`);
    if (name === "b") throw new Error("b failed");
    return name;
  };
  const results = await Promise.allSettled(["a", "b", "c"].map((name) => turns.run(work(name))));
  expect(results.map((result) => (result.status === "fulfilled" ? result.value : result.reason.message))).toStrictEqual(
    ["a", "b failed", "c"],
  );
  expect(events).toStrictEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
});

test("it is busy from the first to the last, and settles when all have left", async () => {
  const turns = new Turns();
  expect(turns.isBusy).toBe(false);
  const leave = await turns.enter();
  const next = turns.enter();
  let isSettled = false;
  const settled = turns.settled().then(() => {
    isSettled = true;
  });
  expect(turns.isBusy).toBe(true);
  leave();
  const leaveLast = await next;
  expect([turns.isBusy, isSettled]).toStrictEqual([true, false]);
  leaveLast();
  await settled;
  expect(turns.isBusy).toBe(false);
});

test("who gives up waiting enters at once, and lets the next one in no earlier", async () => {
  const turns = new Turns();
  const leave = await turns.enter();
  const controller = new AbortController();
  const impatient = turns.enter(controller.signal);
  let isNext = false;
  const next = turns.run(async () => {
    isNext = true;
  });
  controller.abort();
  (await impatient)();
  await Bun.sleep(0);
  expect(isNext).toBe(false);
  leave();
  await next;
  expect(isNext).toBe(true);
});
