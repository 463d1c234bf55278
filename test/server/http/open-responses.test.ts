import { expect, test } from "bun:test";
import { type Json, type ServedAgent, sentEvents, serveAgent, TOKEN } from "../../support/served-agent.ts";

/** What a response has to have, by the specification: members and their types. */
const RESPONSE: Readonly<Record<string, readonly string[]>> = {
  ...{ id: ["string"], object: ["string"], status: ["string"], model: ["string"], service_tier: ["string"] },
  ...{ created_at: ["integer"], completed_at: ["integer", "null"], top_logprobs: ["integer"] },
  ...{ previous_response_id: ["string", "null"], instructions: ["string", "null"], user: ["string", "null"] },
  ...{ output: ["array"], tools: ["array"], text: ["object"], metadata: ["object"], tool_choice: ["string"] },
  ...{ error: ["object", "null"], incomplete_details: ["object", "null"], reasoning: ["object", "null"] },
  ...{ usage: ["object", "null"], store: ["boolean"], background: ["boolean"], parallel_tool_calls: ["boolean"] },
  ...{ top_p: ["number"], presence_penalty: ["number"], frequency_penalty: ["number"], temperature: ["number"] },
  ...{ max_output_tokens: ["integer", "null"], max_tool_calls: ["integer", "null"], truncation: ["string"] },
  ...{ safety_identifier: ["string", "null"], prompt_cache_key: ["string", "null"] },
};

const AT = { item_id: ["string"], output_index: ["integer"], content_index: ["integer"] };

/** The members of each event besides its type and number. */
const EVENTS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  "response.created": { response: ["object"] },
  "response.in_progress": { response: ["object"] },
  "response.completed": { response: ["object"] },
  "response.failed": { response: ["object"] },
  "response.output_item.added": { output_index: ["integer"], item: ["object"] },
  "response.output_item.done": { output_index: ["integer"], item: ["object"] },
  "response.content_part.added": { ...AT, part: ["object"] },
  "response.content_part.done": { ...AT, part: ["object"] },
  "response.output_text.delta": { ...AT, delta: ["string"], logprobs: ["array"] },
  "response.output_text.done": { ...AT, text: ["string"], logprobs: ["array"] },
};

const typesOf = (value: unknown): readonly string[] => {
  if (value === null) return ["null"];
  if (Array.isArray(value)) return ["array"];
  return Number.isInteger(value) ? ["integer", "number"] : [typeof value];
};

/** The members that are missing or of another type. */
const wrongMembers = (value: Json, members: Readonly<Record<string, readonly string[]>>): readonly string[] =>
  Object.entries(members).flatMap(([name, types]) =>
    value !== null && typesOf(value[name]).some((type) => types.includes(type)) ? [] : [name],
  );

function expectResponse(response: Json): void {
  expect(wrongMembers(response, RESPONSE)).toEqual([]);
  expect(response).toMatchObject({ object: "response", status: "completed", error: null });
  expect(response.output).toMatchObject([
    {
      ...{ type: "message", role: "assistant", status: "completed", id: expect.any(String) },
      content: [{ type: "output_text", text: expect.any(String), annotations: [] }],
    },
  ]);
  expect(response.usage).toMatchObject({
    ...{ input_tokens: expect.any(Number), output_tokens: expect.any(Number), total_tokens: expect.any(Number) },
    input_tokens_details: { cached_tokens: expect.any(Number) },
    output_tokens_details: { reasoning_tokens: expect.any(Number) },
  });
}

/** Checks the events of a stream, and returns its last response. */
function expectEvents(events: readonly Json[]): Json {
  expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index));
  for (const event of events) {
    expect(Object.keys(EVENTS)).toContain(event.type);
    expect([event.type, wrongMembers(event, EVENTS[event.type] ?? {})]).toEqual([event.type, []]);
    if (event.response !== undefined) expect(wrongMembers(event.response, RESPONSE)).toEqual([]);
  }
  return events.at(-1).response;
}

const said = (role: string, content: unknown, more: object = {}) => ({ type: "message", role, content, ...more });

const HEART =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC";

/** The cases of the runner that ask for one response, by its names. */
const CASES: readonly (readonly [name: string, input: readonly object[]])[] = [
  ["basic-response", [said("user", "Greet me in three words.")]],
  [
    "assistant-phase",
    [
      said("assistant", "I look it up.", { phase: "commentary" }),
      said("assistant", "It is four.", { phase: "final_answer" }),
      said("user", "The number alone, please."),
    ],
  ],
  ["streaming-response", [said("user", "Count to five.")]],
  ["system-prompt", [said("system", "Speak like a sailor."), said("user", "Greet me.")]],
  [
    "image-input",
    [
      said("user", [
        { type: "input_text", text: "What is in the picture?" },
        { type: "input_image", image_url: HEART },
      ]),
    ],
  ],
  ["multi-turn", [said("user", "I am Ann."), said("assistant", "Hello, Ann!"), said("user", "Who am I?")]],
];

test.each(CASES)("Open Responses: %s, whole and as a stream", async (_name, input) => {
  await using agent = await serveAgent({ replies: [{ text: "Well, here." }, { deltas: ["Well, ", "here."] }] });
  expectResponse(await agent.json("POST", "/v1/responses", { model: "agent", input }));
  const streamed = await agent.send("POST", "/v1/responses", { model: "agent", input, stream: true });
  expect(streamed.headers.get("content-type")).toBe("text/event-stream");
  const events = (await Array.fromAsync(sentEvents(streamed))).map(({ data }) => data);
  expect(events.pop()).toBe("[DONE]");
  expectResponse(expectEvents(events));
});

test("Open Responses: compact-response, whose item begins a new conversation", async () => {
  await using agent = await serveAgent({ replies: [{ text: "Tuesday." }] });
  const input = [said("user", "We launch on Tuesday."), said("assistant", "Understood.")];
  const compacted = await agent.json("POST", "/v1/responses/compact", { model: "agent", input, prompt_cache_key: "k" });
  // The comparison writes into its subject.
  expect(structuredClone(compacted)).toMatchObject({
    ...{ id: expect.any(String), object: "response.compaction", created_at: expect.any(Number) },
    output: [{ type: "compaction", id: expect.any(String), encrypted_content: expect.any(String) }],
    usage: { total_tokens: 0 },
  });
  const next = { model: "agent", input: [...compacted.output, said("user", "When do we launch?")] };
  expectResponse(await agent.json("POST", "/v1/responses", next));
  const { sessions } = await agent.json("GET", "sessions");
  const { messages } = await agent.json("GET", `sessions/${sessions[0].id}/messages`);
  expect(messages.map(({ role, content }: Json) => [role, content[0].text])).toEqual([
    ["user", "We launch on Tuesday."],
    ["assistant", "Understood."],
    ["user", "When do we launch?"],
    ["assistant", "Tuesday."],
  ]);
  const forged = {
    model: "agent",
    input: [{ type: "compaction", id: "c", encrypted_content: "e30" }, said("user", "x")],
  };
  expect((await agent.send("POST", "/v1/responses", forged)).status).toBe(400);
});

test("a conversation with an image is compacted with a line in its place", async () => {
  await using agent = await serveAgent({ replies: [{ text: "A heart." }] });
  const shown = [
    { type: "input_text", text: "What is it?" },
    { type: "input_image", image_url: HEART },
  ];
  const input = [said("user", shown), said("assistant", "A heart.")];
  const { output } = await agent.json("POST", "/v1/responses/compact", { model: "agent", input });
  await agent.json("POST", "/v1/responses", { model: "agent", input: [...output, said("user", "Sure?")] });
  const { sessions } = await agent.json("GET", "sessions");
  const { messages } = await agent.json("GET", `sessions/${sessions[0].id}/messages`);
  expect(messages[0].content).toEqual([
    { type: "text", text: "What is it?\n[An image (image/png) of an earlier message was left out.]" },
  ]);
});

test("Open Responses: compact-missing-model", async () => {
  await using agent = await serveAgent();
  expect((await agent.send("POST", "/v1/responses/compact", { input: [said("user", "x")] })).status).toBe(422);
});

/** A WebSocket of responses. */
class Connection implements AsyncDisposable {
  readonly #socket: WebSocket;
  readonly #events: Json[] = [];
  #notify = (): void => {};

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => {
      this.#events.push(JSON.parse(String(data)));
      this.#notify();
    });
  }

  static async open({ server }: ServedAgent): Promise<Connection> {
    const headers = { authorization: `Bearer ${TOKEN}` };
    const socket = new WebSocket(`${server.url.replace("http", "ws")}/v1/responses`, { headers });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    socket.addEventListener("open", () => resolve());
    socket.addEventListener("close", () => reject(new Error("the connection was refused")));
    await promise;
    return new Connection(socket);
  }

  send(request: object): void {
    this.#socket.send(JSON.stringify({ type: "response.create", model: "agent", ...request }));
  }

  /** The events of the next response, or an error. */
  async next(): Promise<readonly Json[]> {
    const isLast = ({ type }: Json): boolean => ["response.completed", "response.failed", "error"].includes(type);
    for (;;) {
      const end = this.#events.findIndex(isLast);
      if (end >= 0) return this.#events.splice(0, end + 1);
      await new Promise<void>((resolve) => {
        this.#notify = resolve;
      });
    }
  }

  async ask(request: object): Promise<Json> {
    this.send(request);
    return expectEvents(await this.next());
  }

  async refused(request: object): Promise<string> {
    this.send(request);
    return (await this.next()).at(-1).error.code;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket.close();
  }
}

const replies = ["one", "two", "three"].map((text) => ({ text }));

test("Open Responses: websocket-response, websocket-sequential-responses", async () => {
  await using agent = await serveAgent({ replies });
  await using connection = await Connection.open(agent);
  expectResponse(await connection.ask({ input: [said("user", "Count to three.")] }));
  for (const input of ["first", "second"]) connection.send({ store: false, input });
  for (const text of ["two", "three"]) {
    const response = expectEvents(await connection.next());
    expectResponse(response);
    expect([response.store, response.output[0].content[0].text]).toEqual([false, text]);
  }
});

test("Open Responses: websocket-continuation, websocket-reconnect-store-false-recovery, websocket-previous-response-not-found", async () => {
  await using agent = await serveAgent({ replies });
  await using connection = await Connection.open(agent);
  const first = await connection.ask({ store: false, input: "The word is cobalt." });
  const second = await connection.ask({ store: false, previous_response_id: first.id, input: "Which word?" });
  expectResponse(second);
  const { sessions } = await agent.json("GET", "sessions");
  expect(sessions.map(({ prompts }: Json) => prompts)).toEqual([2]);
  await using later = await Connection.open(agent);
  const again = { store: false, previous_response_id: second.id, input: "Which word?" };
  expect(await later.refused(again)).toBe("previous_response_not_found");
  expect(await later.refused({ previous_response_id: "resp_missing", input: "x" })).toBe("previous_response_not_found");
  expectResponse(await later.ask({ store: false, input: "Begin anew." }));
});

test("Open Responses: websocket-failed-continuation-evicts-cache", async () => {
  await using agent = await serveAgent({ replies });
  await using connection = await Connection.open(agent);
  const first = await connection.ask({ store: false, input: "The word is ember." });
  const output = { type: "function_call_output", call_id: "call_missing", output: "none" };
  const failing = { store: false, previous_response_id: first.id, input: [output] };
  expect(await connection.refused(failing)).toBe("invalid_request");
  const retried = { store: false, previous_response_id: first.id, input: "Which word?" };
  expect(await connection.refused(retried)).toBe("previous_response_not_found");
});

test("Open Responses: websocket-compact-new-chain", async () => {
  await using agent = await serveAgent({ replies });
  const input = [said("user", [{ type: "input_text", text: "The word is slate." }]), said("user", "Pack it.")];
  const { output } = await agent.json("POST", "/v1/responses/compact", { model: "agent", input });
  await using connection = await Connection.open(agent);
  expectResponse(await connection.ask({ store: false, tools: [], input: [...output, said("user", "Continue.")] }));
});

test("a WebSocket needs the token and no other page; what is no request is an error on it, and leaving cancels its prompt", async () => {
  await using agent = await serveAgent({ replies: [{ deltas: ["a", "b"], deltaDelay: 600_000 }] });
  const upgrade = { connection: "Upgrade", upgrade: "websocket", "sec-websocket-version": "13" };
  const headers = { ...upgrade, "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==" };
  const statusOf = async (more: object): Promise<number> =>
    (await agent.send("GET", "/v1/responses", undefined, { ...headers, ...more })).status;
  expect(await statusOf({ authorization: "Bearer wrong" })).toBe(401);
  expect(await statusOf({ origin: "https://evil.example" })).toBe(403);
  expect((await agent.send("GET", "/v1/responses")).status).toBe(426);
  const connection = await Connection.open(agent);
  expect(await connection.refused({ type: "other" })).toBe("invalid_request");
  expect(await connection.refused({ input: 5 })).toBe("wrong_body");
  expect(await connection.refused({ model: "none", input: "x" })).toBe("model_not_found");
  connection.send({ input: "slowly" });
  const stateOf = async (): Promise<string> => (await agent.json("GET", "sessions")).sessions[0]?.state;
  while ((await stateOf()) !== "running") await Bun.sleep(5);
  await connection[Symbol.asyncDispose]();
  while ((await stateOf()) !== "idle") await Bun.sleep(5);
});
