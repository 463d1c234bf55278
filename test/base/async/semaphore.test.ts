import { expect, test } from "bun:test";
import { Semaphore } from "@mdx-ai/base";

test("one works at a time, in the order in which they ask, also after one fails", async () => {
  const turns = new Semaphore();
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

/** Work that ends when it is told to. */
function held(): { readonly work: () => Promise<void>; readonly end: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { work: () => promise, end: resolve };
}

test("it is busy from the first to the last, and settles when all have left", async () => {
  const turns = new Semaphore();
  const [first, last] = [held(), held()];
  expect(turns.isBusy).toBe(false);
  const running = [first, last].map(({ work }) => turns.run(work));
  let isSettled = false;
  const settled = turns.settled().then(() => {
    isSettled = true;
  });
  expect(turns.isBusy).toBe(true);
  first.end();
  await running[0];
  expect([turns.isBusy, isSettled]).toStrictEqual([true, false]);
  last.end();
  await settled;
  expect(turns.isBusy).toBe(false);
});

test("who gives up waiting leaves at once, does nothing, and lets the next one in no earlier", async () => {
  const turns = new Semaphore();
  const first = held();
  const running = turns.run(first.work);
  const controller = new AbortController();
  let hasRun = false;
  const impatient = turns.runUnlessAborted(controller.signal, async () => {
    hasRun = true;
  });
  let isNext = false;
  const next = turns.run(async () => {
    isNext = true;
  });
  controller.abort();
  expect(await impatient).toBeUndefined();
  await Bun.sleep(0);
  expect([hasRun, isNext]).toStrictEqual([false, false]);
  first.end();
  await Promise.all([running, next]);
  expect([hasRun, isNext]).toStrictEqual([false, true]);
  expect(await turns.runUnlessAborted(controller.signal, async () => 1)).toBeUndefined();
});

test("as many as the limit says work side by side", async () => {
  const turns = Semaphore.of(2);
  const works = [held(), held(), held()];
  let begun = 0;
  const running = works.map(({ work }) =>
    turns.run(() => {
      begun++;
      return work();
    }),
  );
  await Bun.sleep(0);
  expect(begun).toBe(2);
  works[1]?.end();
  await running[1];
  await Bun.sleep(0);
  expect(begun).toBe(3);
  for (const { end } of works) end();
  await turns.settled();
});

test("callers that yield let all others go first, even those that come later", async () => {
  const semaphore = new Semaphore();
  const order: string[] = [];
  const { signal } = new AbortController();
  const gate = Promise.withResolvers<void>();
  const enter = (name: string, yields: boolean) =>
    semaphore.runUnlessAborted(signal, async () => void order.push(name), { yields });
  const first = semaphore.run(() => gate.promise);
  const rest = [enter("heartbeat 1", true), enter("user 1", false), enter("heartbeat 2", true), enter("user 2", false)];
  gate.resolve();
  await Promise.all([first, ...rest]);
  expect(order).toEqual(["user 1", "user 2", "heartbeat 1", "heartbeat 2"]);
});
