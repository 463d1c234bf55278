import { describe, expect, test } from "bun:test";
import { answerEvents } from "../../../../test/support/anthropic-replies.ts";
import { streamBytes } from "../../../../test/support/anthropic-server.ts";
import { endOf } from "../../../../test/support/model-request.ts";
import { StreamEvents } from "../anthropic/stream-events.ts";
import { MessageBuilder } from "../message-builder.ts";
import { ByteReader, EventReader } from "./answer-reader.ts";
import { SilenceWatch } from "./silence-watch.ts";

const text = "Grüße aus 東京 🦊!";
const events = answerEvents([{ text: [text] }, { id: "t1", name: "echo", json: [JSON.stringify({ text })] }]);
const bytes = streamBytes(events);
const content = [
  { type: "text", text },
  { type: "toolCall", id: "t1", name: "echo", arguments: { text } },
];

/** The content of an answer whose bytes come in just these chunks. */
async function read(chunks: readonly Uint8Array[]): Promise<unknown> {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  const watch = new SilenceWatch(60_000, "host");
  const bytes = new ByteReader(body, { url: "http://127.0.0.1/", host: "host", watch, mostBytes: 1_000_000 });
  const builder = new MessageBuilder({ provider: "anthropic", model: "m" });
  const reader = new EventReader(bytes, { host: "host", events: new StreamEvents(builder) });
  while (!reader.isWhole) await reader.readMore();
  watch.stop();
  return endOf(builder.take()).message.content;
}

describe("an answer's bytes", () => {
  test("may be torn apart anywhere, within a letter too", async () => {
    for (let cut = 0; cut <= bytes.length; cut++) {
      expect(await read([bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual(content);
    }
  });

  test("may come one at a time", async () => {
    expect(await read(Array.from(bytes, (byte) => new Uint8Array([byte])))).toEqual(content);
  });

  test.each(["\r\n", "\r"])("may have lines that end with %j, torn apart anywhere", async (ending) => {
    const other = new TextEncoder().encode(new TextDecoder().decode(bytes).replaceAll("\n", ending));
    for (let cut = 0; cut <= other.length; cut += 3) {
      expect(await read([other.subarray(0, cut), other.subarray(cut)])).toEqual(content);
    }
  });

  test("may hold comments, a byte-order mark and data without a space", async () => {
    const lines = new TextDecoder().decode(bytes).replaceAll("data: ", ": keep-alive\ndata:");
    expect(await read([new TextEncoder().encode(`\uFEFF${lines}`)])).toEqual(content);
  });
});
