import { expect, test } from "bun:test";
import OpenAI from "openai";
import { bodyOf, eventsUntil, type Json, type ServedAgent, serveAgent, TOKEN } from "../../support/served-agent.ts";

const usage = { input: 100, output: 10, cacheRead: 20 };
const READ = { calls: [{ id: "c1", name: "read_file", arguments: { path: "agent.mdx" } }], usage };
const COMMAND = { calls: [{ id: "c1", name: "bash", arguments: { command: "touch made" } }], usage };
const TURNS = [
  { ...READ, text: "Let me see." },
  { deltas: ["It is ", "a test."], usage },
];

const clientOf = ({ server }: ServedAgent): OpenAI =>
  new OpenAI({ baseURL: `${server.url}/v1`, apiKey: TOKEN, maxRetries: 0 });

/** The error of a request, which the client's promises make when they are awaited. */
const failureOf = (request: PromiseLike<unknown>): Promise<Json> =>
  Promise.resolve(request).then(
    () => undefined,
    (error: unknown) => error,
  );

const user = (content: string) => ({ role: "user", content }) as const;

test("the official client reads the agents as models", async () => {
  await using agent = await serveAgent();
  const client = clientOf(agent);
  expect((await client.models.list()).data.map(({ id }) => id)).toEqual(["agent"]);
  expect(await client.models.retrieve("agent")).toMatchObject({ id: "agent", object: "model" });
  expect(await failureOf(client.models.retrieve("other"))).toBeInstanceOf(OpenAI.NotFoundError);
  const stranger = new OpenAI({ baseURL: `${agent.server.url}/v1`, apiKey: "wrong", maxRetries: 0 });
  expect(await failureOf(stranger.models.list())).toBeInstanceOf(OpenAI.AuthenticationError);
});

test("a chat completion has the texts of all turns and the usage of all model calls", async () => {
  await using agent = await serveAgent({ replies: TURNS });
  const completion = await clientOf(agent).chat.completions.create({ model: "agent", messages: [user("What is it?")] });
  expect(completion).toMatchObject({
    object: "chat.completion",
    choices: [{ message: { role: "assistant", content: "Let me see.\n\nIt is a test." }, finish_reason: "stop" }],
    usage: {
      ...{ prompt_tokens: 240, completion_tokens: 20, total_tokens: 260 },
      prompt_tokens_details: { cached_tokens: 40 },
    },
  });
});

test("a stream of a chat completion has the same text and usage, piece by piece", async () => {
  await using agent = await serveAgent({ replies: TURNS });
  const stream = await clientOf(agent).chat.completions.create({
    ...{ model: "agent", stream: true, stream_options: { include_usage: true } },
    messages: [user("What is it?")],
  });
  const chunks = await Array.fromAsync(stream);
  const pieces = chunks.map(({ choices: [choice] }) => choice?.delta.content ?? "");
  expect(pieces.filter((text) => text !== "")).toEqual(["Let me see.", "\n\nIt is ", "a test."]);
  expect(chunks.findLast(({ choices }) => choices.length > 0)?.choices[0]?.finish_reason).toBe("stop");
  expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 240, completion_tokens: 20 } });
});

test("an image reaches the model, and what an agent cannot do is refused", async () => {
  await using agent = await serveAgent({ replies: [{ text: "a dot" }, { error: { message: "broken", status: 400 } }] });
  const client = clientOf(agent);
  const image = { type: "image_url", image_url: { url: "data:image/png;base64,aGk=" } } as const;
  const { data, response } = await client.chat.completions
    .create({ model: "agent", messages: [{ role: "user", content: [{ type: "text", text: "What?" }, image] }] })
    .withResponse();
  expect(data.choices[0]?.message.content).toBe("a dot");
  const seen = await agent.json("GET", `sessions/${response.headers.get("x-mdx-ai-session")}/messages`);
  expect(seen.messages[0].content[1]).toEqual({ type: "image", data: "aGk=", mimeType: "image/png" });

  const tool = { type: "function", function: { name: "f", parameters: {} } } as const;
  const bodies: readonly Omit<OpenAI.ChatCompletionCreateParamsNonStreaming, "model">[] = [
    { messages: [] },
    { messages: [{ role: "assistant", content: "x" }] },
    { messages: [user("x")], tools: [tool] },
    { messages: [{ role: "user", content: [{ ...image, image_url: { url: "http://a.example/x.png" } }] }] },
  ];
  for (const body of bodies) {
    const refused = await failureOf(client.chat.completions.create({ model: "agent", ...body }));
    expect(refused).toBeInstanceOf(OpenAI.APIError);
    expect(refused.status).toBeWithin(400, 423);
  }
  const messages = [user("x")];
  expect(await failureOf(client.chat.completions.create({ model: "other", messages }))).toBeInstanceOf(
    OpenAI.NotFoundError,
  );
  expect((await failureOf(client.chat.completions.create({ model: "agent", messages }))).message).toContain("broken");
});

test("a question ends the answer with where to answer it, and the prompt waits", async () => {
  await using agent = await serveAgent({ replies: [COMMAND, { text: "made it", usage }] });
  const { data, response } = await clientOf(agent)
    .chat.completions.create({ model: "agent", messages: [user("make it")] })
    .withResponse();
  const session = response.headers.get("x-mdx-ai-session") ?? "";
  expect(data.choices[0]?.finish_reason).toBe("stop");
  expect(data.choices[0]?.message.content).toContain(`mdx-ai answer ${agent.directory} 1.1.1 yes --session ${session}`);
  expect(await agent.json("GET", `sessions/${session}`)).toMatchObject({ state: "waiting" });
  await agent.send("POST", `sessions/${session}/questions/1.1.1`, { answer: "yes" });
  await eventsUntil(agent, session, "agent_end");
});

test("a response has one message, the usage, and continues another one", async () => {
  await using agent = await serveAgent({ replies: [...TURNS, { text: "two" }, { text: "three" }] });
  const client = clientOf(agent);
  const first = await client.responses.create({ model: "agent", instructions: "Be brief.", input: "What is it?" });
  expect(first).toMatchObject({ object: "response", status: "completed", error: null, instructions: "Be brief." });
  expect(first.output_text).toBe("Let me see.\n\nIt is a test.");
  expect(first.usage).toMatchObject({ input_tokens: 240, output_tokens: 20, total_tokens: 260 });
  const next = (input: string) => client.responses.create({ model: "agent", input, previous_response_id: first.id });
  expect((await next("and then?")).output_text).toBe("two");
  // The session has gone on, so this is a branch.
  expect((await next("or else?")).output_text).toBe("three");
  const { sessions } = await agent.json("GET", "sessions");
  expect(sessions.map(({ id }: Json) => /-fork$/.test(id)).sort()).toEqual([false, true]);
  for (const id of ["resp_none", "resp_W10", "x"]) {
    const unknown = await failureOf(client.responses.create({ model: "agent", input: "x", previous_response_id: id }));
    expect(unknown).toBeInstanceOf(OpenAI.NotFoundError);
  }
});

const askerOf = (agent: ServedAgent) => (input: string, previous_response_id?: string) =>
  clientOf(agent).responses.create({ model: "agent", input, ...(previous_response_id && { previous_response_id }) });

/** What the user said in each session, sorted. */
async function inputs(agent: ServedAgent): Promise<readonly string[]> {
  const { sessions } = await agent.json("GET", "sessions");
  const said = sessions.map(async ({ id }: Json) => {
    const { messages } = await agent.json("GET", `sessions/${id}/messages`);
    return messages.flatMap(({ role, content }: Json) => (role === "user" ? [content[0].text] : [])).join(" ");
  });
  return (await Promise.all(said)).sort();
}

test("simultaneous responses that continue the same one are branches with ids of their own", async () => {
  await using agent = await serveAgent({
    replies: [{ text: "root" }, ...Array.from({ length: 6 }, () => ({ text: "x", delay: 30 }))],
  });
  const ask = askerOf(agent);
  const root = await ask("root");
  const words = ["a", "b", "c"];
  const branches = await Promise.all(words.map((word) => ask(word, root.id)));
  await Promise.all(words.map((word, index) => ask(word.toUpperCase(), branches[index]?.id)));
  expect(await inputs(agent)).toEqual(["root a A", "root b B", "root c C"]);
});

test("a response is the last one although prompts were taken back, and those are no longer continued", async () => {
  await using agent = await serveAgent({ replies: [{ text: "x" }] });
  const ask = askerOf(agent);
  const first = await ask("first");
  const second = await ask("second", first.id);
  await ask("third", second.id);
  const { sessions } = await agent.json("GET", "sessions");
  await agent.json("POST", `sessions/${sessions[0].id}/rewind`, { prompt: 2 });
  const other = await ask("other", first.id);
  await ask("last", other.id);
  expect(await inputs(agent)).toEqual(["first other last"]);
  expect(await failureOf(ask("x", second.id))).toBeInstanceOf(OpenAI.NotFoundError);
});

test("a stream of a response has the events of the specification in their order", async () => {
  await using agent = await serveAgent({ replies: TURNS });
  const input = [{ role: "user" as const, content: [{ type: "input_text" as const, text: "What is it?" }] }];
  const events = await Array.fromAsync(await clientOf(agent).responses.create({ model: "agent", stream: true, input }));
  expect(events.map(({ type }) => type)).toEqual([
    "response.created",
    "response.in_progress",
    "response.output_item.added",
    "response.content_part.added",
    ...Array(3).fill("response.output_text.delta"),
    "response.output_text.done",
    "response.content_part.done",
    "response.output_item.done",
    "response.completed",
  ]);
  expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index));
  const last = events.at(-1);
  expect(last?.type === "response.completed" && last.response.output[0]).toMatchObject({
    content: [{ type: "output_text", text: "Let me see.\n\nIt is a test." }],
  });
});

test("a failure is an error before the answer, and an event within it", async () => {
  const broken = { error: { message: "broken", status: 400 } };
  await using agent = await serveAgent({
    replies: [broken, { deltas: ["a", "b"], error: { ...broken.error, after: 1 } }],
  });
  const events = await Array.fromAsync(
    await clientOf(agent).responses.create({ model: "agent", stream: true, input: "x" }),
  );
  expect(events.at(-1)).toMatchObject({
    type: "response.failed",
    response: { error: { message: expect.stringContaining("broken") } },
  });
  const response = await fetch(`${agent.server.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "agent", messages: [user("x")] }),
  });
  expect((await bodyOf(response)).error.message).toContain("broken");
});

test.each(["/v1/chat/completions", "/v1/responses"])(
  "what cannot begin is an error of %s before any stream",
  async (path) => {
    await using agent = await serveAgent();
    const text = "/skill:none";
    const body = { model: "agent", stream: true, messages: [user(text)], input: text };
    const refused = await agent.send("POST", path, body);
    expect([refused.status, (await bodyOf(refused)).error.code]).toEqual([422, "unknown_skill"]);
    expect(agent.warnings).toEqual([]);
  },
);
