import { expect, test } from "bun:test";
import { fromAiSdk, type ModelEvent } from "@mdx-ai/models";
import { aiSdkProvider, finishPart, textParts } from "../../support/ai-sdk-provider.ts";
import { eventually } from "../../support/eventually.ts";
import { endOf, eventsOf, modelRequest } from "../../support/model-request.ts";

const never = (): Promise<never> => new Promise(() => {});

test("nothing is sent before the first event is asked for", async () => {
  const hand = aiSdkProvider([{ parts: [...textParts("0", "Well"), finishPart()] }]);
  const answer = fromAiSdk(hand).stream(modelRequest("Hello"), new AbortController().signal);
  await Bun.sleep(5);
  expect(hand.calls).toEqual([]);
  expect(endOf(await Array.fromAsync(answer)).message.stopReason).toBe("stop");
  expect(hand.calls.length).toBe(1);
});

test("an answer that is aborted keeps what has arrived, and its stream is closed", async () => {
  const hand = aiSdkProvider([{ parts: [{ type: "text-delta", id: "0", delta: "Wel" }], hangs: true }]);
  const abort = new AbortController();
  const events: ModelEvent[] = [];
  for await (const event of fromAiSdk(hand).stream(modelRequest("Hello"), abort.signal)) {
    events.push(event);
    if (event.type === "text_delta") abort.abort();
  }
  expect(endOf(events).message).toMatchObject({ stopReason: "aborted", content: [{ type: "text", text: "Wel" }] });
  expect(hand.isCancelled).toBe(true);
});

test.each([true, false])("a provider that does not listen to the signal is left behind: stream %p", async (stream) => {
  const abort = new AbortController();
  const asked = Promise.withResolvers<void>();
  const ask = (): Promise<never> => {
    asked.resolve();
    return never();
  };
  const deaf = { ...aiSdkProvider([]), doStream: ask, doGenerate: ask };
  const events = eventsOf(fromAiSdk(deaf), modelRequest("Hello", { stream }), abort.signal);
  await asked.promise;
  abort.abort();
  expect(endOf(await events).message.stopReason).toBe("aborted");
});

test("a stream that opens after it was cancelled is closed", async () => {
  const hand = aiSdkProvider([{ hangs: true }]);
  const asked = Promise.withResolvers<void>();
  const opening = Promise.withResolvers<void>();
  const doStream = async (options: object) => {
    asked.resolve();
    await opening.promise;
    return hand.doStream(options);
  };
  const abort = new AbortController();
  const events = eventsOf(fromAiSdk({ ...hand, doStream }), modelRequest("Hello"), abort.signal);
  await asked.promise;
  abort.abort();
  await events;
  opening.resolve();
  await eventually(() => hand.isCancelled);
});

test("where the prompt is aborted already, nothing is sent", async () => {
  const hand = aiSdkProvider([]);
  const events = await eventsOf(fromAiSdk(hand), modelRequest("Hello"), AbortSignal.abort());
  expect(endOf(events).message.stopReason).toBe("aborted");
  expect(hand.calls).toEqual([]);
});

test("who stops listening closes the stream", async () => {
  const hand = aiSdkProvider([{ parts: textParts("0", "Wel"), hangs: true }]);
  for await (const _ of fromAiSdk(hand).stream(modelRequest("Hello"), new AbortController().signal)) break;
  expect(hand.isCancelled).toBe(true);
});

test.each([
  ["before its first part", { hangs: true }],
  ["in the middle", { parts: textParts("0", "Wel"), hangs: true }],
])("a provider that is silent %s has failed, and another attempt may go well", async (_when, answer) => {
  const model = fromAiSdk(aiSdkProvider([answer]), { timeout: 0.05 });
  expect(endOf(await eventsOf(model)).message).toMatchObject({
    stopReason: "error",
    errorMessage: "ai-sdk:hand.written was silent for 0.05 seconds",
    failure: { kind: "silence", isTransient: true },
  });
});

test("a provider that sends no document has failed", async () => {
  const model = fromAiSdk({ ...aiSdkProvider([]), doGenerate: never }, { timeout: 0.05 });
  const { message } = endOf(await eventsOf(model, modelRequest("Hello", { stream: false })));
  expect(message).toMatchObject({ stopReason: "error", failure: { kind: "silence", isTransient: true } });
});
