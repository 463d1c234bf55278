import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Message, openModel } from "@mdx-ai/models";
import { readAgentDirectory } from "@mdx-ai/parser";
import { type Agent, openAgent, type SessionInfo } from "@mdx-ai/runtime";
import { toolHostCommand } from "@mdx-ai/tools/tool-host-command";
import { type AgentFiles, agentDirectory } from "../support/agent-directory.ts";
import { writeText } from "../support/agent-files.ts";
import { type AnthropicReply, answerEvents, failureReply, textReply } from "../support/anthropic-replies.ts";
import { type AnthropicServer, anthropicServer } from "../support/anthropic-server.ts";
import { words } from "../support/conversation.ts";

const agentWith = (yaml: string): string => `---\n${yaml}\n---\n# Agent: Minimal\n\n## Purpose\n\nBe tested.\n`;

const PLAIN = "retries: [0, 0]";

/** An answer that appends words to a file, side by side, to a request of so many tokens. */
const writing = (input: number, ...marks: readonly string[]): AnthropicReply => ({
  events: answerEvents(
    marks.map((mark) => ({ id: mark, name: "bash", json: [JSON.stringify({ command: `echo ${mark} >> effects` })] })),
    { usage: { input_tokens: input, output_tokens: 5 } },
  ),
});

const reading = (input: number, id: string): AnthropicReply => ({
  events: answerEvents([{ id, name: "read_file", json: ['{"path": "long.txt"}'] }], {
    usage: { input_tokens: input, output_tokens: 5 },
  }),
});

const broken: AnthropicReply = {
  events: answerEvents([
    { text: ["half"] },
    { id: "z", name: "bash", json: ['{"command": "echo z >> effects"}'] },
  ]).slice(0, -2),
};

const overloaded = failureReply(529, "overloaded_error");
const tooLong = failureReply(400, "invalid_request_error", { message: "prompt is too long: 9 tokens > 8 maximum" });

/** Life stories of a prompt: the settings, the settings after the kill, and what the models answer. */
const STORIES: readonly [name: string, yaml: string, later: string, replies: readonly AnthropicReply[]][] = [
  [
    "repetitions",
    PLAIN,
    PLAIN,
    [overloaded, broken, writing(9, "a", "b"), overloaded, writing(9, "c"), textReply("Done.")],
  ],
  ["a fallback", PLAIN, PLAIN, [failureReply(401, "authentication_error"), writing(9, "a", "b"), textReply("Done.")]],
  [
    "a day's limit",
    "limits: { day: { tokens: 1000 } }",
    "limits: { day: { tokens: 1000 } }",
    [writing(400, "a"), writing(400, "b"), writing(400, "c")],
  ],
  [
    "a summary after a refusal",
    "context: { window: 100000 }",
    "context: { window: 100000 }",
    [reading(3000, "r"), reading(5000, "s"), tooLong, textReply("They read."), writing(900, "a"), textReply("Done.")],
  ],
  [
    "a summary in time",
    "context: { window: 8000, compactAt: 0.5 }",
    "context: { window: 8000, compactAt: 0.5 }",
    [
      reading(2000, "r"),
      reading(3600, "s"),
      textReply("They read."),
      overloaded,
      writing(2000, "a"),
      textReply("Done."),
    ],
  ],
  [
    "a summary for each of two models in one turn",
    PLAIN,
    PLAIN,
    [
      reading(500, "r"),
      reading(2000, "s"),
      reading(3500, "t"),
      overloaded,
      textReply("They read."),
      overloaded,
      overloaded,
      overloaded,
      overloaded,
      textReply("They read much."),
      writing(900, "a"),
      textReply("Done."),
    ],
  ],
  [
    "settings that changed since",
    "context: { window: 8000, compactAt: 0.5 }",
    "retries: 0\nlimits: { turns: 1, toolCalls: 0 }\ncontext: { compactAt: off }",
    [
      overloaded,
      reading(2000, "r"),
      reading(3600, "s"),
      textReply("They read."),
      overloaded,
      writing(2000, "a", "b"),
      textReply("Done."),
    ],
  ],
];

/** Windows of the two models, for stories that set none. */
const WINDOWS = { models: { "anthropic/claude-one": { window: 6000 }, "anthropic/claude-two": { window: 2000 } } };

const filesWith = (yaml: string): AgentFiles => ({
  "agent.mdx": agentWith(yaml),
  "long.txt": words(1500),
  ".config/mdx-ai/prices.json": JSON.stringify(WINDOWS),
});

async function open(directory: string, server: AnthropicServer, others = ["claude-two"]): Promise<Agent> {
  const { environment } = server;
  return openAgent({
    directory: await readAgentDirectory(directory),
    model: await openModel("claude-one", { environment }),
    fallbacks: await Promise.all(others.map((name) => openModel(name, { environment }))),
    retries: [0, 0],
    cwd: directory,
    toolHostCommand: toolHostCommand(),
    environment: { PATH: process.env["PATH"], HOME: directory },
  });
}

interface Lived {
  /** The lines of the session's journal. */
  readonly journal: readonly string[];
  readonly ledger: string;
}

/** What a session's files hold after a story. */
async function lived(yaml: string, replies: readonly AnthropicReply[]): Promise<Lived> {
  using directory = agentDirectory(filesWith(yaml));
  using server = anthropicServer(...replies);
  const agent = await open(directory.path, server);
  await Array.fromAsync(agent.session().prompt("go"));
  const { session, day } = await agent.session().info();
  expect({ ...session, latency: 0 }).toEqual({ ...day, latency: 0 });
  await agent.close();
  expect(server.requests.flatMap(({ refusal }) => refusal ?? [])).toEqual([]);
  expect(server.requests).toHaveLength(replies.length);
  const read = (file: string): string => readFileSync(join(directory.path, file), "utf8");
  return { journal: read("sessions/main/journal.jsonl").trimEnd().split("\n"), ledger: read("state/usage.jsonl") };
}

interface Look {
  readonly messages: readonly Message[];
  readonly info: SessionInfo;
}

const lookAt = async (agent: Agent): Promise<Look> => ({
  messages: [...(await agent.session().messages())],
  info: await agent.session().info(),
});

/** Goes on with a session whose journal was cut; gives what the agent knows then and what the next one reads of it. */
async function goOn(yaml: string, { journal, ledger }: Lived, others?: string[]) {
  using directory = agentDirectory(filesWith(yaml));
  using server = anthropicServer(...Array.from({ length: 8 }, () => textReply("Still here.")));
  writeText(join(directory.path, "sessions/main/journal.jsonl"), journal.map((line) => `${line}\n`).join(""));
  writeText(join(directory.path, "state/usage.jsonl"), ledger);
  const agent = await open(directory.path, server, others);
  await Array.fromAsync(agent.session().prompt("next"));
  const before = await lookAt(agent);
  await agent.close();
  const again = await open(directory.path, server);
  const after = await lookAt(again);
  await Array.fromAsync(again.session().prompt("once more"));
  await again.close();
  const file = Bun.file(join(directory.path, "effects"));
  const effects = (await file.exists()) ? (await file.text()).trimEnd().split("\n") : [];
  const lines = readFileSync(join(directory.path, "sessions/main/journal.jsonl"), "utf8").split("\n");
  const end = lines.find((line) => line.includes('"step":"end"'));
  return { before, after, effects, end, refusals: server.requests.flatMap(({ refusal }) => refusal ?? []) };
}

test.each(STORIES)(
  "a prompt with %s, killed after any line of its journal, is whole for who comes next",
  async (_name, yaml, later, replies) => {
    const { journal, ledger } = await lived(yaml, replies);
    expect(journal.at(-1)).toContain('"step":"end"');
    for (let count = 1; count < journal.length; count++) {
      const { before, after, effects, refusals } = await goOn(later, { journal: journal.slice(0, count), ledger });
      const place = `after line ${count}: ${journal[count - 1]?.slice(0, 60)}`;
      expect({ place, refusals }).toStrictEqual({ place, refusals: [] });
      expect({ place, twice: effects.filter((mark, at) => effects.indexOf(mark) !== at) }).toStrictEqual({
        place,
        twice: [],
      });
      const started = effects.filter((mark) =>
        journal.slice(0, count).some((line) => line.includes(`:${mark}","started"`)),
      );
      expect({ place, started }).toStrictEqual({ place, started: [] });
      expect({ place, ...after }).toEqual({ place, ...before });
      const calls = after.messages.flatMap((message) =>
        message.role === "assistant" && message.stopReason === "toolUse"
          ? message.content.flatMap((block) => (block.type === "toolCall" ? [block.id] : []))
          : [],
      );
      const results = after.messages.flatMap((message) => (message.role === "toolResult" ? [message.toolCallId] : []));
      expect({ place, results }).toEqual({ place, results: calls });
    }
  },
);

/** The lines up to the one that holds the result of a step. */
const until = (journal: readonly string[], step: string): readonly string[] =>
  journal.slice(0, journal.findIndex((line) => line.includes(`"step":"${step}","result"`)) + 1);

test("what a killed prompt had spent counts once against the day's limit", async () => {
  const yaml = "limits: { day: { tokens: 1000 } }";
  const { journal, ledger } = await lived(yaml, [writing(300, "a"), writing(300, "b"), textReply("Done.")]);
  const spent = ledger.split("\n").slice(0, 2).join("\n");
  const { end } = await goOn(yaml, { journal: until(journal, "tool:2:b"), ledger: `${spent}\n` });
  expect(end).toContain('"outcome":"done"');
});

test("a prompt that was killed after a fallback is whole if the other model is gone", async () => {
  const unknown = failureReply(401, "authentication_error");
  const { journal, ledger } = await lived(PLAIN, [unknown, writing(9, "a"), textReply("Done.")]);
  const { before, after, refusals } = await goOn(PLAIN, { journal: until(journal, "tool:1:a"), ledger }, []);
  expect(after).toEqual(before);
  expect(refusals).toEqual([]);
});
