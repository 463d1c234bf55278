import { describe, expect, test } from "bun:test";
import * as library from "@modelcontextprotocol/server";
import { LineReader } from "./transports/line-reader.ts";
import { MessageLines } from "./transports/message-lines.ts";
import { ServerMessages } from "./transports/server-messages.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("a reader of lines", () => {
  test("joins pieces and splits lines, and characters that are cut stay whole", () => {
    const reader = new LineReader(100);
    const read = [...bytes("a\nbü\n\nrest")].flatMap((byte) => [...reader.read(new Uint8Array([byte]))]);
    expect(read).toEqual(["a", "bü", ""].map((text) => ({ type: "line", text })));
  });

  test("keeps of a line that is too long its two ends alone, however long it is", () => {
    const reader = new LineReader(1_000);
    // One for all, so that this test itself makes no garbage.
    const piece = bytes("x".repeat(1_000_000));
    const before = process.memoryUsage().rss;
    expect([...reader.read(bytes('{"id":7,'))]).toEqual([]);
    for (let count = 0; count < 200; count += 1) expect([...reader.read(piece)]).toEqual([]);
    expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000);
    const [line, next] = [...reader.read(bytes("end}\nshort\n"))];
    expect(line).toMatchObject({ type: "oversized", head: expect.stringMatching(/^\{"id":7,x/) });
    expect(line).toMatchObject({ tail: expect.stringMatching(/xend\}$/) });
    expect(next).toEqual({ type: "line", text: "short" });
  });
});

describe("a message that is too long", () => {
  test.each([
    ['{"jsonrpc":"2.0","id":12,"result":{"a', 'b"}}', 12],
    ['{"id":"x-1","result":{"a', 'b"}}', "x-1"],
    ['{"result":{"a', 'b"},"jsonrpc":"2.0","id":3}', 3],
    ['{"jsonrpc":"2.0","result":{"a', 'b"},"id":4}', 4],
    ['{"jsonrpc":"2.0","method":"notifications/x","params":{"id":5', "}}", undefined],
    ["garbage", "garbage", undefined],
  ] as const)("that begins with %s and ends with %s fails the request %p", (head, tail, id) => {
    const onWarning = (): void => {};
    const messages = new ServerMessages({ library, usesHeaders: () => false, onWarning });
    if (id !== undefined) messages.sent({ jsonrpc: "2.0", id, method: "ping" });
    const lines = new MessageLines({ messages, onWarning });
    const [message] = lines.messagesOf({ type: "oversized", head, tail });
    if (id === undefined) expect(message).toBeUndefined();
    else expect(message).toMatchObject({ id, error: { message: "The answer is too long to be read." } });
  });
});
