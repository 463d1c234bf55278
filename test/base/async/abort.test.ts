import { expect, test } from "bun:test";
import { untilAborted } from "@mdx-ai/base";

test("gives what the work gives, and fails as it fails", async () => {
  const { signal } = new AbortController();
  expect(
    await untilAborted(
      async () => 1,
      signal,
      () => 2,
    ),
  ).toBe(1);
  const failing = untilAborted(
    async () => {
      throw new Error("it failed");
    },
    signal,
    () => 2,
  );
  await expect(failing).rejects.toThrow("it failed");
});

test("settles as the abort does when the signal fires, regardless of the work's result", async () => {
  const controller = new AbortController();
  const { promise: work, reject } = Promise.withResolvers<number>();
  const result = untilAborted(
    () => work,
    controller.signal,
    () => "aborted",
  );
  controller.abort();
  expect(await result).toBe("aborted");
  // Nobody waits for it, and it ends nothing.
  reject(new Error("too late"));
  await Bun.sleep(0);
});

test("fails as the abort says", async () => {
  const controller = new AbortController();
  const result = untilAborted(
    () => new Promise(() => {}),
    controller.signal,
    () => {
      throw new Error("stopped");
    },
  );
  controller.abort();
  await expect(result).rejects.toThrow("stopped");
});

test("starts no work after the signal has fired", async () => {
  let isStarted = false;
  const work = async (): Promise<void> => {
    isStarted = true;
  };
  expect(await untilAborted(work, AbortSignal.abort(), () => "aborted")).toBe("aborted");
  expect(isStarted).toBe(false);
});

test("the signal keeps no listener", async () => {
  const controller = new AbortController();
  let listeners = 0;
  const { signal } = controller;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  Object.assign(signal, {
    addEventListener: (...args: Parameters<typeof add>) => {
      listeners++;
      add(...args);
    },
    removeEventListener: (...args: Parameters<typeof remove>) => {
      listeners--;
      remove(...args);
    },
  });
  await untilAborted(
    async () => {
      expect(listeners).toBe(1);
    },
    signal,
    () => {},
  );
  expect(listeners).toBe(0);
});

test("without an answer for the abort it fails with the signal's reason", async () => {
  const controller = new AbortController();
  const waiting = untilAborted(() => new Promise<never>(() => {}), controller.signal);
  controller.abort(new Error("stopped"));
  await expect(waiting).rejects.toThrow("stopped");
});
