import { expect, test } from "bun:test";
import { type ChatMessage, type ControlState, MemoryInvoker } from "@mdx-ai/memory";
import { contextReply, entryReply, openMemoryBench } from "../../support/memory-bench.ts";

test("every sixth message of a session flushes, and a start begins to count again", async () => {
  const replies = [1, 2, 3, 4, 5, 6, 7, 8].map((number) => entryReply(`${number}`));
  await using bench = await openMemoryBench([...replies, contextReply("all"), entryReply("9")]);
  const { invoker } = bench;
  const flushes: number[] = [];
  const process = async (from: number, to: number): Promise<void> => {
    for (let number = from; number <= to; number++) {
      await invoker.processConversationMessage(number % 2 === 1 ? "user" : "assistant", `message ${number}`, "thread");
      if (bench.done.at(-1) === "putContext") flushes.push(number);
    }
  };
  await invoker.startSession("thread");
  await process(1, 2);
  await invoker.startSession("thread");
  await process(3, 9);
  expect(flushes).toStrictEqual([8]);
});

test("a runner starts, passes every message singly with its role, and ends", async () => {
  const invoked: [ControlState, string, ChatMessage | undefined][] = [];
  await using bench = await openMemoryBench([entryReply("a"), entryReply("b"), contextReply("both")]);
  const invoker = new MemoryInvoker({
    invoke: (control, thread, message) => {
      invoked.push([control, thread, message]);
      return bench.agent.invoke(control, thread, message);
    },
    progress: (thread) => bench.agent.progress(thread),
  });
  await invoker.startSession("runner");
  await invoker.processConversationMessage("user", "Hello", "runner");
  await invoker.processConversationMessage("assistant", "Hi!", "runner");
  await invoker.endSession("runner");
  expect(invoked).toStrictEqual([
    ["start_session", "runner", undefined],
    ["process_message", "runner", { role: "user", content: "Hello" }],
    ["process_message", "runner", { role: "assistant", content: "Hi!" }],
    ["end_session", "runner", undefined],
  ]);
  const entries = await bench.store.listEntries(bench.vaultId, bench.memoryId);
  expect(entries.map(({ rawEntry, tags }) => [tags["role"], rawEntry])).toStrictEqual([
    ["assistant", "Hi!"],
    ["user", "Hello"],
  ]);
});

test("a message that failed is not counted, and is processed when it comes again", async () => {
  await using bench = await openMemoryBench([{ error: { message: "overloaded", status: 529 } }, entryReply("tea")]);
  await bench.invoker.startSession("thread");
  await expect(bench.invoker.processConversationMessage("user", "Tea", "thread")).rejects.toThrow("overloaded");
  await bench.invoker.processConversationMessage("user", "Tea", "thread");
  expect(await bench.store.listEntries(bench.vaultId, bench.memoryId)).toHaveLength(1);
  expect(await bench.agent.progress("thread")).toStrictEqual({ isOpen: true, isPending: false, messages: 1 });
});
