import { describe, expect, test } from "bun:test";
import { openModel } from "@mdx-ai/models";
import { textReply } from "../../support/anthropic-replies.ts";
import { type AnthropicServer, anthropicServer } from "../../support/anthropic-server.ts";
import { endOf, modelRequest } from "../../support/model-request.ts";

/** Reads an answer, and does something at its first event. The server may be silent for a second. */
async function endAfter(server: AnthropicServer, atStart: () => unknown): Promise<ReturnType<typeof endOf>> {
  const model = await openModel("claude-test", { environment: server.environment, timeout: 1 });
  const events = [];
  for await (const event of model.stream(modelRequest("Hi"), new AbortController().signal)) {
    if (event.type === "start") await atStart();
    events.push(event);
  }
  return endOf(events);
}

describe("a server is not taken for silent", () => {
  const slowly = { ...textReply("Yes."), chunk: 300, pause: 100 };

  test("while the reader is busy", async () => {
    using server = anthropicServer(slowly);
    expect((await endAfter(server, () => Bun.sleep(1500))).type).toBe("done");
  });

  test("while this process is suspended", async () => {
    using server = anthropicServer(slowly);
    expect((await endAfter(server, () => Bun.sleepSync(2200))).type).toBe("done");
  });

  test("before a request was sent", async () => {
    using server = anthropicServer(textReply("Yes."));
    const model = await openModel("claude-test", { environment: server.environment, timeout: 1 });
    const answer = model.stream(modelRequest("Hi"), new AbortController().signal);
    await Bun.sleep(1500);
    expect(endOf(await Array.fromAsync(answer)).type).toBe("done");
  });
});
