import { expect, test } from "bun:test";
import { type AgentEvent, answerText } from "@mdx-ai/loop";
import { type LanguageModel, openModel } from "@mdx-ai/models";
import { readAgentDirectory, wireNames } from "@mdx-ai/parser";
import { type Agent, openAgent } from "@mdx-ai/runtime";
import { toolHostCommand } from "@mdx-ai/tools/tool-host-command";
import { agentDirectory, toolText } from "../../support/agent-directory.ts";
import { MINIMAL_AGENT } from "../../support/agent-files.ts";
import { type AnthropicReply, answerEvents, textReply as anthropicText } from "../../support/anthropic-replies.ts";
import { type AnthropicServer, anthropicServer } from "../../support/anthropic-server.ts";
import { lookedAt, lookingAgent } from "../../support/looking-agent.ts";
import { answerChunks, type OpenAiReply, textReply } from "../../support/openai-replies.ts";
import type { RuledVendor } from "../../support/openai-rules.ts";
import { type OpenAiServer, openAiServer } from "../../support/openai-server.ts";
import { responseEvents, textReply as responsesText } from "../../support/responses-replies.ts";
import { responsesServer } from "../../support/responses-server.ts";
import { wireServer, wires } from "../../support/wire-server.ts";

const open = async (
  directory: string,
  model: LanguageModel,
  fallbacks: readonly LanguageModel[] = [],
): Promise<Agent> =>
  openAgent({
    directory: await readAgentDirectory(directory),
    model,
    fallbacks,
    retries: [],
    cwd: directory,
    toolHostCommand: toolHostCommand(),
    environment: process.env,
  });

const claude = ({ environment }: AnthropicServer): Promise<LanguageModel> => openModel("claude-test", { environment });

const modelOf = (server: OpenAiServer, vendor: RuledVendor): Promise<LanguageModel> =>
  openModel(`${vendor}/model`, { environment: server.environment(vendor) });

const answerOf = (events: readonly AgentEvent[]): string => {
  const end = events.at(-1);
  return end?.type === "agent_end" ? `${end.outcome}: ${answerText(end.messages)}` : "";
};

/** What looks at two things side by side, in the words of each protocol. */
const calls = (name: string, place: number) =>
  ["sea", "sky"].map((thing) => ({ id: `call_${thing}`, name, json: [JSON.stringify({ text: `${thing} ${place}` })] }));
const thought = { thinking: ["Hm, 🌊 ", "…"], signature: "sig+/==" };
const claudeLooks = (name: string, place: number): AnthropicReply => ({
  events: answerEvents([thought, { text: ["I look."] }, ...calls(name, place)]),
});
const otherLooks = (name: string, place: number): OpenAiReply => ({
  chunks: answerChunks([{ thinking: ["Hm."] }, { text: ["I look."] }, ...calls(name, place)]),
});

const vendors: readonly RuledVendor[] = ["openai", "azure", "gemini", "mistral", "openrouter"];
const more: readonly RuledVendor[] = ["groq", "deepseek", "xai", "ollama"];

test("one session goes from model to model, over both protocols and a restart, and none refuses what another one left", async () => {
  using directory = agentDirectory(lookingAgent);
  using anthropic = anthropicServer();
  using openai = openAiServer(
    ...[...vendors, ...more].flatMap((_vendor, place) => [otherLooks("look", place), textReply("Calm.")]),
  );
  const askClaude = async (agent: Agent, place: number): Promise<void> => {
    anthropic.add(claudeLooks("look", 100 + place), anthropicText("Still calm."));
    expect(answerOf(await Array.fromAsync(agent.session().prompt("And you?")))).toBe("done: Still calm.");
  };
  for (const round of [vendors, more]) {
    const agent = await open(directory.path, await claude(anthropic));
    for (const vendor of round) {
      await askClaude(agent, [...vendors, ...more].indexOf(vendor));
      const events = await Array.fromAsync(agent.session().prompt("Look.", { model: await modelOf(openai, vendor) }));
      expect([vendor, answerOf(events)]).toEqual([vendor, "done: Calm."]);
    }
    await agent.close();
  }
  const refusals = [...anthropic.requests, ...openai.requests].flatMap(({ refusal }) => refusal ?? []);
  expect(refusals).toEqual([]);
  const numbers = [...vendors, ...more].flatMap((_vendor, place) => [place, 100 + place]);
  const looks = numbers.flatMap((number) => [`sea ${number}`, `sky ${number}`]);
  expect(lookedAt(directory.path)).toEqual(looks.toSorted());
});

test("what OpenAI's models thought outlives another vendor's turn, a summary and a restart, and goes back to OpenAI alone", async () => {
  using directory = agentDirectory(lookingAgent);
  const looks = responseEvents([thought, { text: ["I look."] }, ...calls("look", 1)]);
  using own = responsesServer(
    ...[{ events: looks }, responsesText("Calm.")],
    ...[responsesText("As ever."), responsesText("A summary."), { events: looks }, responsesText("Still.")],
  );
  using anthropic = anthropicServer(anthropicText("I see."));
  using openai = openAiServer(textReply("So do I."));
  const openOwn = async () => openModel("openai/gpt-test", { environment: own.environment });
  const answers = async (agent: Agent, model: LanguageModel): Promise<string> =>
    answerOf(await Array.fromAsync(agent.session().prompt("Look.", { model })));
  const agent = await open(directory.path, await openOwn());
  expect(await answers(agent, await openOwn())).toBe("done: Calm.");
  expect(await answers(agent, await claude(anthropic))).toBe("done: I see.");
  expect(await answers(agent, await modelOf(openai, "openai"))).toBe("done: So do I.");
  await agent.close();
  const again = await open(directory.path, await openOwn());
  expect(await answers(again, await openOwn())).toBe("done: As ever.");
  const sent = () => own.requests.at(-1)?.text.match(/"encrypted_content":"[^"]*"/g)?.length ?? 0;
  expect(sent()).toBe(1);
  await again.session().compact();
  expect(await answers(again, await openOwn())).toBe("done: Still.");
  expect(sent()).toBe(1);
  await again.close();
  expect(anthropic.requests[0]?.text).not.toContain("sig+");
  expect(openai.requests[0]?.text).not.toContain("sig+");
  const requests = [...anthropic.requests, ...openai.requests, ...own.requests];
  expect(requests.flatMap(({ refusal }) => refusal ?? [])).toEqual([]);
});

test.each([
  { from: "anthropic", to: "openai" },
  { from: "openai", to: "anthropic" },
  { from: "anthropic", to: "responses" },
  { from: "responses", to: "anthropic" },
  { from: "responses", to: "openai" },
] as const)(
  "if $from fails in the middle of a tool loop, $to continues with its results, and no tool runs again",
  async ({ from, to }) => {
    using directory = agentDirectory(lookingAgent);
    using first = wireServer(from, { parts: [{ text: ["I look."] }, ...calls("look", 1)] }, { status: 401 });
    using second = wireServer(to, { parts: [{ text: ["Calm."] }] });
    const agent = await open(directory.path, await first.open(), [await second.open()]);
    const events = await Array.fromAsync(agent.session().prompt("Look."));
    await agent.close();
    expect(events.filter(({ type }) => type === "model_fallback")).toHaveLength(1);
    expect(answerOf(events)).toBe("done: Calm.");
    expect(lookedAt(directory.path)).toEqual(["sea 1", "sky 1"]);
    const requests = [...first.requests, ...second.requests];
    expect(requests.map(({ refusal }) => refusal)).toStrictEqual([undefined, undefined, undefined]);
    for (const thing of ["sea", "sky"]) expect(second.requests[0]?.text).toContain(`${thing} 1 is calm`);
  },
);

test.each(wires)("names that %s would refuse, or that would collide, call the tools that they name", async (wire) => {
  const names = ["fs.look", "fs_look", "погода"];
  const tools = names.map((name) => toolText(name, `return ${JSON.stringify(`${name} ran`)};`)).join("");
  using directory = agentDirectory({ "agent.mdx": MINIMAL_AGENT + tools });
  const parts = [...wireNames(names).values()].map((name, place) => ({ id: `call_${place}`, name, json: ["{}"] }));
  using server = wireServer(wire, { parts }, { parts: [{ text: ["Done."] }] });
  const agent = await open(directory.path, await server.open());
  const events = await Array.fromAsync(agent.session().prompt("Look."));
  await agent.close();
  const results = events.flatMap((event) => (event.type === "turn_end" ? event.toolResults : []));
  expect(results.map(({ content }) => content)).toEqual(names.map((name) => [{ type: "text", text: `${name} ran` }]));
  expect(server.requests.map(({ refusal }) => refusal)).toStrictEqual([undefined, undefined]);
});

test.each(wires)(
  "an answer of %s that is aborted stays in the session, marked, and what had arrived goes back after a restart",
  async (wire) => {
    using directory = agentDirectory();
    const parts = [{ text: ["half an", " answer"] }];
    const cutAfter = { anthropic: 5, openai: 3, responses: 6 }[wire];
    using server = wireServer(wire, { parts, cutAfter, end: "hang" }, { parts: [{ text: ["Whole."] }] });
    const agent = await open(directory.path, await server.open());
    const controller = new AbortController();
    const events: AgentEvent[] = [];
    for await (const event of agent.session().prompt("Go.", { signal: controller.signal })) {
      events.push(event);
      if (event.type === "message_update" && event.assistantMessageEvent.type === "text_delta") controller.abort();
    }
    await agent.close();
    expect(events.at(-1)).toMatchObject({ type: "agent_end", outcome: "aborted" });
    const again = await open(directory.path, await server.open());
    const kept = { stopReason: "aborted", content: [{ type: "text", text: "half an answer" }] };
    expect((await again.session().messages()).at(-1)).toMatchObject(kept);
    expect(answerOf(await Array.fromAsync(again.session().prompt("Go on.")))).toBe("done: Whole.");
    await again.close();
    const sent = /"role":"assistant","content":[^}]*"half an answer"/;
    expect(server.requests.map(({ text, refusal }) => [sent.test(text), refusal])).toEqual([
      [false, undefined],
      [true, undefined],
    ]);
  },
);
