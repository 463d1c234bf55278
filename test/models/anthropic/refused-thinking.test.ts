import { describe, expect, test } from "bun:test";
import { type AssistantMessage, type LanguageModel, type Message, openModel } from "@mdx-ai/models";
import { type AnthropicReply, answerEvents, failureReply, textReply } from "../../support/anthropic-replies.ts";
import { type AnthropicServer, anthropicServer } from "../../support/anthropic-server.ts";
import { failureOf } from "../../support/model-failure.ts";
import { endOf, eventsOf, modelRequest, userMessage } from "../../support/model-request.ts";

const open = (server: AnthropicServer): Promise<LanguageModel> =>
  openModel("claude-test", { environment: server.environment });

const thoughtful = (text: string): AnthropicReply => ({
  events: answerEvents([
    { thinking: ["Hm."], signature: `sig-${text}` },
    { redacted: `red-${text}` },
    { text: [text] },
  ]),
});

/** Asks and adds the answer to the history. */
async function ask(model: LanguageModel, messages: Message[], system: string): Promise<AssistantMessage> {
  const { message } = endOf(await eventsOf(model, modelRequest([...messages], { system })));
  if (message.stopReason === "stop") messages.push(message, userMessage("Go on."));
  return message;
}

/** The signatures of the thinking that the last request carried. */
const thinkingSent = (server: AnthropicServer): readonly string[] =>
  server.requests.at(-1)?.text.match(/(?:sig|red)-\w+/g) ?? [];

describe("thinking that the API does not take back", () => {
  test("costs one attempt, goes with no further one, and what is thought since then does", async () => {
    using server = anthropicServer(thoughtful("one"), thoughtful("two"), thoughtful("three"), textReply("Done."));
    server.bindThinking();
    const model = await open(server);
    const messages: Message[] = [userMessage("Go.")];
    await ask(model, messages, "Be kind.");
    await ask(model, messages, "Be kind.");
    expect(thinkingSent(server)).toEqual(["sig-one", "red-one"]);

    const refused = await ask(model, messages, "Be strict.");
    expect(refused.failure).toMatchObject({
      status: 400,
      isTransient: true,
      retryAfter: 0,
      adapted: expect.stringContaining("the model's earlier thinking"),
    });
    expect((await ask(model, messages, "Be strict.")).stopReason).toBe("stop");
    expect(thinkingSent(server)).toEqual([]);
    expect((await ask(model, messages, "Be strict.")).stopReason).toBe("stop");
    expect(thinkingSent(server)).toEqual(["sig-three", "red-three"]);
    expect(server.requests.length).toBe(5);
  });

  test.each([
    "messages.1.content.0: Invalid `signature` in `thinking` block",
    "messages.1.content.1: Invalid `data` in `redacted_thinking` block",
    "messages.1.content.1: Invalid data in redacted_thinking block",
    "messages.1.content.0: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified.",
  ])("is known by what it says: %s", async (message) => {
    using server = anthropicServer(
      thoughtful("one"),
      failureReply(400, "invalid_request_error", { message }),
      textReply("Done."),
    );
    const model = await open(server);
    const messages: Message[] = [userMessage("Go.")];
    await ask(model, messages, "");
    expect((await ask(model, messages, "")).failure).toMatchObject({
      isTransient: true,
      adapted: expect.stringContaining("the model's earlier thinking"),
    });
    expect((await ask(model, messages, "")).stopReason).toBe("stop");
    expect(thinkingSent(server)).toEqual([]);
  });

  test("is a final failure if the request contains none", async () => {
    const message = "messages.1.content.0: Invalid `signature` in `thinking` block";
    using server = anthropicServer(failureReply(400, "invalid_request_error", { message }));
    const { failure } = failureOf(await eventsOf(await open(server)));
    expect(failure).toEqual({ status: 400, kind: "invalid_request_error", isTransient: false });
  });
});
