import { expect, test } from "bun:test";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, streamText } from "ai";
import OpenAI from "openai";
import { eventually } from "../../support/eventually.ts";
import { eventsUntil, type Json, type ServedAgent, serveAgent, TOKEN } from "../../support/served-agent.ts";

const usage = { input: 100, output: 10, cacheRead: 20 };
const READ = { calls: [{ id: "c1", name: "read_file", arguments: { path: "agent.mdx" } }], usage };
const TURNS = [
  { ...READ, text: "Let me see." },
  { deltas: ["It is ", "a test."], usage },
];

const clientOf = ({ server }: ServedAgent): OpenAI =>
  new OpenAI({ baseURL: `${server.url}/v1`, apiKey: TOKEN, maxRetries: 0 });

const user = (content: string) => ({ role: "user", content }) as const;

test("a conversation continues its session; another branch begins one with the earlier messages", async () => {
  await using agent = await serveAgent({ replies: [...TURNS, { text: "two" }, { text: "other" }] });
  const client = clientOf(agent);
  const ask = async (...messages: OpenAI.ChatCompletionMessageParam[]) => {
    const { data, response } = await client.chat.completions.create({ model: "agent", messages }).withResponse();
    return { text: data.choices[0]?.message.content, session: response.headers.get("x-mdx-ai-session") ?? "" };
  };
  const system = { role: "system", content: "Be brief." } as const;
  const first = await ask(system, user("one"));
  const said = [system, user("one"), { role: "assistant", content: first.text ?? "" }] as const;
  const second = await ask(...said, user("and then?"));
  expect(second).toEqual({ text: "two", session: first.session });
  const other = await ask(...said, user("or else?"));
  expect([other.text, other.session === first.session]).toEqual(["other", false]);
  const { messages } = await agent.json("GET", `sessions/${other.session}/messages`);
  expect(messages.map(({ role, content }: Json) => [role, content[0].text])).toEqual([
    ["user", "Be brief."],
    ["user", "one"],
    ["assistant", first.text],
    ["user", "or else?"],
    ["assistant", "other"],
  ]);
});

test("an image of an earlier message is named where it is left out, and the conversation continues its session", async () => {
  await using agent = await serveAgent({ replies: [{ text: "a dot" }, { text: "yes" }, { text: "other" }] });
  const client = clientOf(agent);
  const image = { type: "image_url", image_url: { url: "data:image/png;base64,aGk=" } } as const;
  const shown: OpenAI.ChatCompletionMessageParam = { role: "user", content: [{ type: "text", text: "What?" }, image] };
  const ask = async (...messages: OpenAI.ChatCompletionMessageParam[]): Promise<string> => {
    const asked = client.chat.completions.create({ model: "agent", messages }).withResponse();
    return (await asked).response.headers.get("x-mdx-ai-session") ?? "";
  };
  const session = await ask(shown);
  const answer = { role: "assistant", content: "a dot" } as const;
  expect(await ask(shown, answer, user("Sure?"))).toBe(session);
  const other = await ask(shown, answer, user("Or not?"));
  const { messages } = await agent.json("GET", `sessions/${other}/messages`);
  expect(messages[0].content).toEqual([
    { type: "text", text: "What?\n[An image (image/png) of an earlier message was left out.]" },
  ]);
});

test.each([true, false])("a client that vanishes cancels its prompt; streaming: %p", async (stream) => {
  await using agent = await serveAgent({ replies: [{ deltas: ["a", "b"], deltaDelay: 600_000 }] });
  const leaving = new AbortController();
  const request = fetch(`${agent.server.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "agent", stream, messages: [user("x")] }),
    signal: leaving.signal,
  });
  request.catch(() => {});
  let sessions: readonly Json[] = [];
  const look = async (): Promise<void> => {
    ({ sessions } = await agent.json("GET", "sessions"));
  };
  const until = async (state: string): Promise<void> => {
    while (sessions[0]?.state !== state) await look();
  };
  await until("running");
  if (stream) await (await request).body?.getReader().read();
  leaving.abort();
  await until("idle");
  const events = await eventsUntil(agent, sessions[0].id, "agent_end");
  expect(events.at(-1)?.data.outcome).toBe("aborted");
  await eventually(() => agent.warnings.length === 0);
});

test("the provider of the ai package generates and streams", async () => {
  await using agent = await serveAgent({ replies: [...TURNS, ...TURNS] });
  const provider = createOpenAICompatible({
    ...{ name: "mdx-ai", baseURL: `${agent.server.url}/v1`, apiKey: TOKEN, includeUsage: true },
  });
  const model = provider("agent");
  const generated = await generateText({ model, prompt: "What is it?" });
  expect([generated.text, generated.finishReason]).toEqual(["Let me see.\n\nIt is a test.", "stop"]);
  expect(generated.usage).toMatchObject({ inputTokens: 240, outputTokens: 20 });
  const streamed = streamText({ model, prompt: "Again?" });
  expect((await Array.fromAsync(streamed.textStream)).join("")).toBe("Let me see.\n\nIt is a test.");
  expect((await streamed.usage).inputTokens).toBe(240);
});
