import { expect, test } from "bun:test";
import type { AgentEvent } from "@mdx-ai/loop";
import { assistantMessage } from "../../../../test/support/model-request.ts";
import { EventChannel } from "./event-channel.ts";

const message = assistantMessage([]);
const update = (delta: string): AgentEvent => ({
  ...{ type: "message_update", step: "model:1", index: 0, message },
  assistantMessageEvent: { type: "text_delta", contentIndex: 0, delta, partial: message },
});

test("what waits for a reader that reads nothing is bounded: updates are dropped, and no event with an id", async () => {
  const channel = new EventChannel();
  for (let prompt = 1; prompt <= 4; prompt++) {
    channel.send({ type: "turn_start", id: `${prompt}.1` });
    for (let index = 0; index < 50_000; index++) channel.send(update(`${index} `));
    expect(channel.length).toBeLessThanOrEqual(65_536);
  }
  channel.end();
  const ids = (await Array.fromAsync(channel.events())).flatMap(({ id }) => id ?? []);
  expect(ids).toEqual(["1.1", "2.1", "3.1", "4.1"]);
});
