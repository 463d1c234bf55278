import { describe, expect, test } from "bun:test";
import type { ImageContent, Message } from "@mdx-ai/models";
import { askAdapting } from "../../support/adapting-model.ts";
import { assistantMessage, modelRequest, toolResult, userMessage } from "../../support/model-request.ts";
import { refusingServer } from "../../support/refusing-server.ts";
import { type Wire, wireServer, wires } from "../../support/wire-server.ts";

/** Base64 of a number of bytes that no other image has. */
const image = (number: number, bytes = 9): ImageContent => ({
  type: "image",
  data: Buffer.alloc(bytes, `image ${number};`).toString("base64"),
  mimeType: "image/png",
});

/** A conversation with so many images, one a message. */
const withImages = (count: number): Message[] =>
  Array.from({ length: count }, (_, index): Message[] => [
    { role: "user", content: [{ type: "text", text: `Image ${index}` }, image(index)], timestamp: 0 },
    assistantMessage([{ type: "text", text: "Seen." }]),
  ])
    .flat()
    .slice(0, -1);

const sentImages = (body: unknown): readonly string[] =>
  [...JSON.stringify(body).matchAll(/base64,([^"]+)"|"data":"([^"]+)"/g)].map(([, url, data]) =>
    Buffer.from(url ?? data ?? "", "base64").toString(),
  );

const last = (count: number, of: number) =>
  Array.from({ length: count }, (_, index) => Buffer.from(image(of - count + index).data, "base64").toString());

describe("of too many images the oldest leave", () => {
  test.each([
    ["too many images and documents: 11 + 0 > 10", 11, 10],
    ["Too much media: 0 document pages + 11 images > 10", 11, 10],
    ["Too many images in request. Max is 10.", 12, 10],
    ["Too many images in request: 11 images provided, but the model supports a maximum of 10 images.", 11, 10],
    ["request contains 12 images, exceeding the maximum of 10 allowed per request", 12, 10],
    ["Too many images were provided, we currently limit the number of images per conversation to 6", 9, 6],
    ["Too many images in request: 11 > 8", 11, 8],
    ["Exceeded limit on max data-uri per request: 5", 7, 5],
    ["At most 1 image(s) may be provided in one request.", 3, 1],
    ["This model supports up to 5 images per request", 6, 5],
    ["too many images in the message, max allowed is 4", 5, 4],
    ["Maximum number of images exceeded", 8, 4],
  ])("%s", async (message, count, limit) => {
    using server = refusingServer((body) => (sentImages(body).length > limit ? { error: { message } } : undefined));
    const model = await server.open();
    const { changes, answer } = await askAdapting(model, modelRequest(withImages(count)));
    expect([answer.stopReason, changes]).toEqual(["stop", [expect.stringContaining(`at most ${limit} image`)]]);
    const sent = sentImages(server.bodies[1]);
    expect(sent).toEqual(last(sent.length, count));
    expect(JSON.stringify(server.bodies[1])).toContain(
      "[image left out: the server accepts no more images per request",
    );
    await askAdapting(model, modelRequest(withImages(count)));
    expect(server.bodies).toHaveLength(3);
  });

  test.each(wires)("over %s, including images of tool results", async (wire: Wire) => {
    const message = "too many images and documents: 4 + 0 > 3";
    const done = { parts: [{ text: ["Done."] }] };
    using server = wireServer(wire, { status: 400, message }, done);
    const call = { type: "toolCall", id: "c1", name: "look", arguments: {} } as const;
    const result = { ...toolResult("c1", "Here"), toolName: "look", content: [image(1), image(2)] };
    const messages: Message[] = [
      { role: "user", content: [{ type: "text", text: "Look" }, image(0)], timestamp: 0 },
      assistantMessage([call], { stopReason: "toolUse" }),
      result,
      { role: "user", content: [{ type: "text", text: "And this" }, image(3)], timestamp: 0 },
    ];
    const { answer } = await askAdapting(await server.open(), modelRequest(messages));
    expect(answer.stopReason).toBe("stop");
    expect(sentImages(JSON.parse(server.requests[1]?.text ?? ""))).toEqual(last(3, 4));
  });

  test("several at a time, so that the beginning of requests stays the same", async () => {
    const message = "too many images: 11 > 10";
    using server = refusingServer((body) => (sentImages(body).length > 10 ? { error: { message } } : undefined));
    const model = await server.open();
    for (const count of [11, 12, 13]) await askAdapting(model, modelRequest(withImages(count)));
    expect(server.bodies.map((body) => sentImages(body).length)).toEqual([11, 9, 10, 9]);
  });

  test("before the server says so where its limit is known", async () => {
    using server = refusingServer(() => undefined);
    await askAdapting(await server.open("mistral/pixtral"), modelRequest(withImages(9)));
    expect(sentImages(server.bodies[0])).toEqual(last(8, 9));
  });
});

test.each([
  "This model does not support image inputs",
  "image_url is only supported by certain models",
  "No endpoints found that support image input",
  "unknown variant `image_url`, expected `text`",
  "At most 0 image(s) may be provided in one request.",
])("all images leave where the server accepts none: %s", async (message) => {
  using server = refusingServer((body) => (sentImages(body).length > 0 ? { error: { message } } : undefined));
  const { changes, answer } = await askAdapting(await server.open(), modelRequest(withImages(2)));
  expect([answer.stopReason, changes.length]).toEqual(["stop", 1]);
});

describe("the image at fault leaves alone", () => {
  test("where the server names its place", async () => {
    const message =
      "messages.2.content.1.image.source.base64.data: At least one of the image dimensions exceed max allowed size: 8000 pixels";
    using server = wireServer("anthropic", { status: 400, message }, { parts: [{ text: ["Done."] }] });
    const { answer } = await askAdapting(await server.open(), modelRequest(withImages(3)));
    expect(answer.stopReason).toBe("stop");
    expect(sentImages(JSON.parse(server.requests[1]?.text ?? ""))).toEqual([...last(3, 3).slice(0, 1), ...last(1, 3)]);
  });

  const large: Message = { role: "user", content: [{ type: "text", text: "See" }, image(7, 6000)], timestamp: 0 };

  test.each([
    "image exceeds 5 KB maximum: 8000 bytes > 5120 bytes",
    "Image file size is too large, the most is 5 KB",
    "The image is too large",
  ])("where it is the one that is too large: %s", async (message) => {
    using server = refusingServer((body) =>
      sentImages(body).some(({ length }) => length > 5120) ? { error: { message } } : undefined,
    );
    const messages = [large, assistantMessage([{ type: "text", text: "Ah." }]), ...withImages(2)];
    const { changes, answer } = await askAdapting(await server.open(), modelRequest(messages));
    expect([answer.stopReason, changes]).toEqual(["stop", [expect.stringContaining("an image, which is left out")]]);
    expect(sentImages(server.bodies[1])).toEqual(last(2, 2));
  });

  test.each([
    "Could not process image",
    "The image data you provided does not represent a valid image",
    "Unsupported image format: image/tiff",
  ])("if the newest is unreadable: %s", async (message) => {
    using server = refusingServer((body) => (sentImages(body).length > 1 ? { error: { message } } : undefined));
    await askAdapting(await server.open(), modelRequest(withImages(2)));
    expect(sentImages(server.bodies[1])).toEqual(last(2, 2).slice(0, 1));
  });

  test("where many images must be small, the oldest do", async () => {
    const message = "At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels";
    using server = refusingServer((body) => (sentImages(body).length > 20 ? { error: { message } } : undefined));
    const { answer } = await askAdapting(await server.open(), modelRequest(withImages(22)));
    expect(answer.stopReason).toBe("stop");
  });
});

test.each([
  [413, "Request Entity Too Large"],
  [413, "request_too_large: Request exceeds the maximum size"],
  [400, "Request payload size exceeds the limit: 20971520 bytes."],
])("images that make a request too large leave from the oldest on: %d %s", async (status, message) => {
  using server = refusingServer(
    (body) => (JSON.stringify(body).length > 12_000 ? { error: { message } } : undefined),
    status,
  );
  const messages = [1, 2, 3, 4].flatMap((number): Message[] => [
    { role: "user", content: [image(number, 3000)], timestamp: 0 },
    assistantMessage([{ type: "text", text: "Ah." }]),
  ]);
  const { changes, answer } = await askAdapting(
    await server.open(),
    modelRequest([...messages, userMessage("Go on.")]),
  );
  expect([answer.stopReason, changes.length]).toEqual(["stop", 1]);
  expect(sentImages(server.bodies[1])).toHaveLength(2);
});

test.each([
  "This model's maximum context length is 100 tokens. For image inputs, the number of image tokens depends on the number of images",
  "Total tokens of image and text exceed max message tokens",
])("images stay where a request has too many tokens: %s", async (message) => {
  using server = refusingServer(() => ({ error: { message } }));
  const { changes, answer } = await askAdapting(await server.open(), modelRequest(withImages(2)));
  expect([answer.stopReason, changes]).toEqual(["contextExceeded", []]);
});
