import { describe, expect, test } from "bun:test";
import { type AssistantContent, type LanguageModel, type Message, openModel } from "@mdx-ai/models";
import { failureOf } from "../../support/model-failure.ts";
import {
  assistantMessage,
  endOf,
  eventsOf,
  modelRequest,
  toolResult,
  userMessage,
} from "../../support/model-request.ts";
import {
  failureReply,
  type ReplyItem,
  type ResponsesReply,
  responseEvents,
  textReply,
} from "../../support/responses-replies.ts";
import { type ResponsesServer, responsesServer } from "../../support/responses-server.ts";

const open = ({ environment }: ResponsesServer, name = "openai/gpt-5.4"): Promise<LanguageModel> =>
  openModel(name, { environment });
const reply = (...items: readonly ReplyItem[]): ResponsesReply => ({ events: responseEvents(items) });

/** The same message as a later process reads it from its journal. */
const reloaded = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value));

const call = (id: string, name = "tool"): AssistantContent => ({ type: "toolCall", id, name, arguments: { id } });
const text = (text: string, signature?: string): AssistantContent => ({
  type: "text",
  text,
  ...(signature !== undefined && { signature }),
});
const kept = (id: string): AssistantContent => ({
  type: "thinking",
  thinking: "Hm.",
  signature: JSON.stringify({ type: "reasoning", id: `rs_${id}`, summary: [], encrypted_content: id }),
});
const answered = (...content: AssistantContent[]): Message => assistantMessage(content, { provider: "openai" });
const image = { type: "image", data: "aGk=", mimeType: "image/png" } as const;

const user = (text: string) => ({ type: "message", role: "user", content: [{ type: "input_text", text }] });
const said = (text: string) => ({
  type: "message",
  role: "assistant",
  content: [{ type: "output_text", text, annotations: [] }],
});
const called = (call_id: string, id = call_id, name = "tool") => ({
  type: "function_call",
  call_id,
  name,
  arguments: JSON.stringify({ id }),
});
const output = (call_id: string, output: unknown) => ({ type: "function_call_output", call_id, output });
const thought = (id: string) => ({ type: "reasoning", id: `rs_${id}`, summary: [], encrypted_content: id });
const wireImage = { type: "input_image", detail: "auto", image_url: "data:image/png;base64,aGk=" };
const go = userMessage("Go.");

/** The input of a request with a history, whose refusals may concern foreign thinking alone. */
async function inputOf(messages: readonly Message[]): Promise<unknown> {
  using server = responsesServer(textReply("Yes."));
  await eventsOf(await open(server), modelRequest(messages));
  const [{ refusal, body } = {}] = server.requests;
  expect(refusal ?? "could not be verified").toContain("could not be verified");
  return body;
}

describe("a history sent to the responses interface", () => {
  test.each<[string, readonly Message[], readonly unknown[]]>([
    [
      "has thinking in its place, in front of what it led to",
      [
        go,
        answered(kept("a"), text("I look."), kept("b"), call("1"), call("2")),
        toolResult("2", "b"),
        toolResult("1", "a"),
      ],
      [
        user("Go."),
        thought("a"),
        said("I look."),
        thought("b"),
        called("1"),
        called("2"),
        output("1", "a"),
        output("2", "b"),
      ],
    ],
    [
      "has no thinking at the end of an answer, which led to nothing",
      [go, answered(kept("a"), text("Yes."), kept("b")), go, answered(kept("c"), text(" ")), go],
      [user("Go."), thought("a"), said("Yes."), user("Go."), user("Go.")],
    ],
    [
      "has no thinking of another vendor, and none that is not encrypted",
      [
        go,
        assistantMessage([{ type: "thinking", thinking: "Hm.", signature: "sig" }, text("Yes.", "final_answer")]),
        answered(
          { type: "thinking", thinking: "Hm." },
          { type: "thinking", thinking: "", signature: "[]" },
          text("No."),
        ),
        go,
      ],
      [user("Go."), said("Yes."), said("No."), user("Go.")],
    ],
    [
      "says of a text whether it comments or answers",
      [go, answered(text("I look.", "commentary"), text("Calm.", "final_answer"), text("So.", "else")), go],
      [
        user("Go."),
        { ...said("I look."), phase: "commentary" },
        { ...said("Calm."), phase: "final_answer" },
        said("So."),
        user("Go."),
      ],
    ],
    [
      "of answers that broke off has the text alone, and no result that answers nothing",
      [
        go,
        assistantMessage([kept("a"), text("Half"), call("1")], { provider: "openai", stopReason: "error" }),
        toolResult("1", "lost"),
        go,
      ],
      [user("Go."), said("Half"), user("Go.")],
    ],
    [
      "answers a call without a result as interrupted, and says of results that they failed or are empty",
      [
        go,
        answered(call("1"), call("2"), call("3")),
        toolResult("2", "no", { isError: true }),
        toolResult("3", ""),
        userMessage(" "),
      ],
      [
        user("Go."),
        ...[called("1"), called("2"), called("3")],
        output("1", "Error: interrupted, outcome unknown"),
        output("2", "Error: no"),
        output("3", "(no output)"),
        user("(empty)"),
      ],
    ],
    [
      "has the images of the user and of results in their places",
      [
        { role: "user", content: [{ type: "text", text: "Look:" }, image], timestamp: 0 },
        answered(call("1")),
        toolResult("1", "", { content: [image] }),
      ],
      [
        { type: "message", role: "user", content: [{ type: "input_text", text: "Look:" }, wireImage] },
        called("1"),
        output("1", [{ type: "input_text", text: "(an image)" }, wireImage]),
      ],
    ],
    [
      "has ids and names that are accepted, each once",
      [go, answered(call("a:b", "no.such"), call("a:b"), call("x".repeat(70)), call("")), go],
      [
        user("Go."),
        ...[
          called("a_b", "a:b", "no_such"),
          called("a_b_2", "a:b"),
          called("x".repeat(64), "x".repeat(70)),
          called("call", ""),
        ],
        ...["a_b", "a_b_2", "x".repeat(64), "call"].map((id) => output(id, "Error: interrupted, outcome unknown")),
        user("Go."),
      ],
    ],
  ])("%s", async (_title, messages, input) => {
    expect(await inputOf(messages)).toHaveProperty("input", [...input]);
    expect(await inputOf(reloaded(messages))).toHaveProperty("input", [...input]);
  });
});

describe("what OpenAI's models thought", () => {
  const thoughtful = reply(
    { thinking: ["Hm, 🌊\u2028 ", "…"], parts: true, signature: "gAAA+/==ü" },
    { id: "call_1", name: "look", json: ["{}"] },
  );

  // The newer model gets its system prompt as the first item.
  test.each(["openai/gpt-5.4", "openai/gpt-6.2-sol"])(
    "goes back byte for byte to %s, after a reload too, and a longer body begins with the shorter one",
    async (name) => {
      using server = responsesServer(
        thoughtful,
        reply({ thinking: [], signature: "gAAB" }, { text: ["Calm."] }),
        textReply("Bye."),
      );
      const messages: Message[] = [go];
      for (const follow of [() => toolResult("call_1", "calm"), () => userMessage("Thanks."), () => go]) {
        const request = modelRequest(messages, { system: "Be kind." });
        const { message } = endOf(await eventsOf(await open(server, name), request));
        messages.push(reloaded(message), follow());
      }
      expect(server.requests.map(({ refusal }) => refusal)).toStrictEqual([undefined, undefined, undefined]);
      const bodies = server.requests.map(({ text }) => text);
      for (const [index, body] of bodies.slice(1).entries())
        expect(body.startsWith(bodies[index]?.slice(0, -"]}".length) ?? "?")).toBe(true);
      expect(bodies[2]).toContain('"encrypted_content":"gAAA+/==ü"}');
      expect(bodies[2]).toContain('"encrypted_content":"gAAB"}');
    },
  );

  test("costs one attempt if the server cannot decrypt it, and goes with no further one", async () => {
    using server = responsesServer(thoughtful, textReply("Calm."));
    const model = await open(server);
    const { message } = endOf(await eventsOf(model, modelRequest([go])));
    const request = modelRequest([go, message, toolResult("call_1", "calm")]);
    server.forget();
    const failure = failureOf(await eventsOf(model, request));
    expect(failure.message).toContain("could not be verified");
    expect(failure.failure).toMatchObject({
      status: 400,
      isTransient: true,
      retryAfter: 0,
      adapted: expect.stringContaining("the model's earlier thinking"),
    });
    expect(endOf(await eventsOf(model, request)).message.content).toMatchObject([{ text: "Calm." }]);
    expect(server.requests.at(-1)?.text).not.toContain("gAAA");
  });
});

test("a model that does not think gets nothing of what others thought", async () => {
  using server = responsesServer(
    reply({ thinking: ["Hm"], signature: "gAAA" }, { id: "call_1", name: "look", json: ["{}"] }),
    textReply("Calm."),
    textReply("Still calm."),
  );
  const { message } = endOf(await eventsOf(await open(server), modelRequest([go])));
  const history = [go, message, toolResult("call_1", "calm")];
  for (const name of ["openai/gpt-4.1", "openai/gpt-5.4"])
    expect(endOf(await eventsOf(await open(server, name), modelRequest(history))).type).toBe("done");
  const [, thoughtless, thoughtful] = server.requests.map(({ text }) => text);
  expect(thoughtless).not.toContain("gAAA");
  expect(thoughtful).toContain("gAAA");
});

test.each([
  "Item 'rs_1' of type 'reasoning' was provided without its required following item.",
  "Reasoning input items can only be provided to a reasoning or computer use model.",
])("thinking that is refused costs one attempt: %s", async (message) => {
  using server = responsesServer(
    reply({ thinking: ["Hm"], signature: "gAAA" }, { text: ["Yes."] }),
    failureReply(400, "invalid_request_error", { message }),
    textReply("Calm."),
  );
  const model = await open(server);
  const first = endOf(await eventsOf(model, modelRequest([go]))).message;
  const request = modelRequest([go, first, go]);
  expect(failureOf(await eventsOf(model, request)).failure).toMatchObject({
    adapted: expect.stringContaining("the model's earlier thinking"),
  });
  expect(endOf(await eventsOf(model, request)).message.content).toMatchObject([{ text: "Calm." }]);
});

test("a model that takes no images gets a text instead", async () => {
  using server = responsesServer(textReply("Yes."));
  const history = [go, answered(call("1")), toolResult("1", "", { content: [image] })];
  await eventsOf(await open(server, "openai/o3-mini"), modelRequest(history));
  const body = JSON.stringify(server.requests[0]?.body);
  expect(body).toContain("[image omitted: this model does not accept images]");
  expect(body).not.toContain("input_image");
});
