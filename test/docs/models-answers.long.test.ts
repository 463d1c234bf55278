import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { openModel } from "@mdx-ai/models";
import { agentDirectory } from "../support/agent-directory.ts";
import { MINIMAL_AGENT, writeFiles } from "../support/agent-files.ts";
import { failureReply, textReply } from "../support/anthropic-replies.ts";
import { anthropicServer } from "../support/anthropic-server.ts";
import { codeBlocks, codeSpans, tableRows } from "../support/markdown-text.ts";
import { endOf, eventsOf, modelRequest } from "../support/model-request.ts";
import { answerChunks, textReply as openAiText } from "../support/openai-replies.ts";
import { openAiServer } from "../support/openai-server.ts";
import { parseAgentMdx } from "../support/parse-agent-mdx.ts";
import { overloaded, type Reply, scriptReference } from "../support/replies.ts";
import { requireProgram } from "../support/require-program.ts";
import { failureReply as responsesFailure, textReply as responsesText } from "../support/responses-replies.ts";
import { responsesServer } from "../support/responses-server.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { openScriptAgent } from "../support/script-agent.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const page = await Bun.file(join(import.meta.dir, "../../docs/models.md")).text();
const [, failureYaml = "", limitsYaml = "", contextYaml = "", ...otherYaml] = codeBlocks(page, "yaml");
const [pricesJson = "", ...otherJson] = codeBlocks(page, "json");
const [spentText = "", ...otherText] = codeBlocks(page, "text");

test("every setting, price and line of docs/models.md is looked at here", () => {
  expect([otherYaml, otherJson, otherText].flat()).toEqual([]);
  expect([failureYaml, limitsYaml, contextYaml, pricesJson, spentText]).not.toContain("");
});

const agentWith = (settings: string): string => `---\n${settings}\n---\n${MINIMAL_AGENT}`;

describe.skipIf(requireProgram("bwrap"))("a model that fails", () => {
  test("gives way to the next of the list of the page", async () => {
    using home = temporaryDirectory();
    using first = anthropicServer(failureReply(401, "authentication_error"));
    using second = responsesServer(responsesFailure(404, "invalid_request_error"));
    using others = openAiServer(openAiText("From the third."));
    writeFiles(home.path, { "agent/agent.mdx": agentWith(failureYaml) });
    const environment = { ...first.environment, ...second.environment, ...others.environment("ollama") };
    const args = ["agent", "agent", "--trust", "--prompt", "Hello"];
    const { exitCode, stdout, stderr } = await runCommandLine(args, { home: home.path, environment });
    expect([exitCode, stdout]).toEqual([0, "From the third.\n"]);
    expect(stderr).toMatch(
      /^mdx-ai: anthropic\/claude-sonnet-5-5 is unavailable .*; using openai\/gpt-5\.4 from now on$/m,
    );
    expect(stderr).toMatch(/^mdx-ai: openai\/gpt-5\.4 is unavailable .*; using ollama\/llama3 from now on$/m);
  });

  const money: Reply = { error: { message: "spent", status: 429, isTransient: false } };
  const broken: Reply = { text: "half", error: { message: "reset", kind: "connection", isTransient: true, after: 1 } };
  const rows = tableRows(page, "| what happens |").flatMap(([what = "", again = "", next = ""]) => {
    const statuses = what.includes("429 where") ? [] : [...what.matchAll(/\d{3}/g)].map(([status]) => Number(status));
    const transient = what.includes("tool_use_failed") ? { isTransient: true } : {};
    const known = statuses.map((status): Reply => ({ error: { message: "no", status, ...transient } }));
    const replies = known.length > 0 ? known : [what.includes("429") ? money : broken];
    const [told = ""] = again.split(";");
    return replies.map((reply) => ({ what: reply.error?.status ?? "a broken answer", reply, again: told, next }));
  });

  test.each(rows)("with $what: asked again $again, the next one $next", async ({ reply, again, next }) => {
    expect([again, next].every((word) => word === "yes" || word === "no")).toBe(true);
    using directory = agentDirectory();
    const reference = scriptReference(directory.path, [{ text: "Here." }]);
    const fallbacks = [await openModel(reference, { environment: {} })];
    const agent = await openScriptAgent(directory.path, [reply, reply], { fallbacks, retries: [0] });
    const types = (await Array.fromAsync(agent.session().prompt("go"))).map(({ type }) => type);
    await agent.close();
    expect(types.includes("model_retry")).toBe(again === "yes");
    expect(types.includes("model_fallback")).toBe(next === "yes");
  });

  test("shows a retry in the line of the page, and as an event of --json", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "agent/agent.mdx": agentWith("retries: [0, 0]") });
    const model = scriptReference(home.path, [overloaded, { text: "Yes." }]);
    const args = ["agent", "agent", "--trust", "--model", model, "--prompt", "go"];
    const told = codeSpans(page).find((text) => text.startsWith("mdx-ai: overloaded"));
    expect(await runCommandLine(args, { home: home.path })).toEqual({
      exitCode: 0,
      stdout: "Yes.\n",
      stderr: `${told}\n`,
    });
    const { stdout } = await runCommandLine([...args, "--json"], { home: home.path });
    expect(stdout).toContain(
      '{"type":"model_retry","attempt":1,"attempts":2,"delay":0,"reason":"overloaded","id":"2.7"}\n',
    );
  });
});

describe("how to think", () => {
  const adaptive = '"thinking":{"type":"adaptive","display":"summarized"}';
  const cases = Object.entries({
    "anthropic/claude-sonnet-5-5": {
      "thinking: adaptive": adaptive,
      "thinking: off": '"thinking":{"type":"between_tools"}',
      "thinking: {budget: 2000}": adaptive,
      "reasoning_effort: low": '"output_config":{"effort":"low"}',
    },
    "anthropic/claude-haiku-4-5": {
      "thinking: adaptive": "",
      "thinking: off": '"thinking":{"type":"disabled"}',
      "thinking: {budget: 2000}": '"thinking":{"type":"enabled","budget_tokens":2000}',
      "reasoning_effort: low": "",
    },
    "openai/o3": {
      "thinking: adaptive": '"reasoning":{"summary":"auto"}',
      "thinking: off": "",
      "thinking: {budget: 2000}": "",
      "reasoning_effort: low": '"reasoning":{"effort":"low"}',
    },
    "openrouter/auto": {
      "thinking: adaptive": '"reasoning":{"enabled":true}',
      "thinking: off": '"reasoning":{"effort":"none"}',
      "thinking: {budget: 2000}": '"reasoning":{"max_tokens":2000}',
      "reasoning_effort: low": '"reasoning":{"effort":"low"}',
    },
  }).flatMap(([reference, settings]) =>
    Object.entries(settings).map(([setting, sent]) => ({ setting, reference, sent })),
  );

  test.each(cases)("$setting is sent to $reference as: $sent", async ({ setting, reference, sent }) => {
    const { thinking, reasoning_effort: effort } = (await parseAgentMdx(agentWith(setting))).settings;
    const asked = { ...(thinking !== undefined && { thinking }), ...(effort !== undefined && { effort }) };
    expect(Object.keys(asked)).toHaveLength(1);
    using anthropic = anthropicServer(textReply("Yes."));
    using openai = responsesServer(responsesText("Yes."));
    using others = openAiServer(openAiText("Yes."));
    const environment = { ...anthropic.environment, ...openai.environment, ...others.environment("openrouter") };
    const model = await openModel(reference, { environment });
    expect(endOf(await eventsOf(model, modelRequest("Hi", asked))).type).toBe("done");
    const { text = "" } = [...anthropic.requests, ...openai.requests, ...others.requests][0] ?? {};
    expect(text).toContain(sent);
    if (sent === "") expect(text).not.toMatch(/thinking|"reasoning"|effort/);
  });
});

const look: Reply = {
  calls: [{ id: "c1", name: "bash", arguments: { command: "echo hi" } }],
  usage: { input: 1000, output: 20, thinking: 15 },
};
const answer: Reply = { text: "Seen.", usage: { input: 234, cacheRead: 1000, output: 36, thinking: 5 } };

describe("the usage and cost of a prompt", () => {
  test("is the line of the page, but for its time", async () => {
    using home = temporaryDirectory();
    const prices = '{"models": {"script/*": {"input": 100, "output": 200, "cacheRead": 10}}}';
    writeFiles(home.path, { "agent/agent.mdx": MINIMAL_AGENT, ".config/mdx-ai/prices.json": prices });
    const model = scriptReference(home.path, [look, answer]);
    const { stderr } = await runCommandLine(["agent", "agent", "--trust", "--model", model, "--prompt", "go"], {
      home: home.path,
    });
    expect(
      stderr
        .split("\n")
        .at(-2)
        ?.replace(/[\d.]+ s$/, ""),
    ).toBe(spentText.trimEnd().replace(/[\d.]+ s$/, ""));
  });

  test("follows the prices of the page", async () => {
    using home = temporaryDirectory();
    const usage = {
      prompt_tokens: 2_000_000,
      completion_tokens: 1_000_000,
      prompt_tokens_details: { cached_tokens: 1_000_000 },
    };
    const reply = { chunks: answerChunks([{ text: ["Dear."] }], { usage }) };
    using server = openAiServer(reply, reply);
    writeFiles(home.path, { "agent/agent.mdx": MINIMAL_AGENT, ".config/mdx-ai/prices.json": pricesJson });
    const environment = { ...server.environment("openai"), ...server.environment("openrouter") };
    const costOf = async (model: string): Promise<string | undefined> => {
      const args = ["agent", "agent", "--trust", "--model", model, "--ephemeral", "--prompt", "go"];
      return /\$[\d.]+/.exec((await runCommandLine(args, { home: home.path, environment })).stderr)?.[0];
    };
    expect(await costOf("openai/qwen3")).toBe("$2.55");
    expect(await costOf("openrouter/any/other")).toBe("$5.00");
  });
});

describe("settings of the page", () => {
  test.each([
    ["models that fail", failureYaml],
    ["limits", limitsYaml],
    ["context", contextYaml],
  ])("of %s are right", async (_title, yaml) => {
    expect((await parseAgentMdx(agentWith(yaml))).diagnostics).toEqual([]);
  });

  test("hold a prompt within its limits", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "agent/agent.mdx": agentWith(limitsYaml) });
    const model = scriptReference(
      home.path,
      Array.from({ length: 9 }, () => look),
    );
    const args = ["agent", "agent", "--trust", "--model", model, "--prompt", "go"];
    const { exitCode, stderr } = await runCommandLine(args, { home: home.path });
    expect([exitCode, stderr]).toEqual([4, expect.stringContaining("after 5 identical tool calls")]);
  });

  test.each([
    ["with them", contextYaml, true],
    ["without the size of the window", "name: A", false],
    ["with compactAt: off", contextYaml.replace("0.7", "off"), false],
    ["with a window of messages", contextYaml.replace("compactAt: 0.7", "messages: 20"), false],
  ])("%s a conversation that outgrows the window is summarised: %p", async (_title, yaml, isSummarised) => {
    using directory = agentDirectory({ "agent.mdx": agentWith(yaml) });
    const long: Reply = { text: "word ".repeat(5000), usage: { input: 25_000, output: 5000 } };
    const agent = await openScriptAgent(directory.path, [long, long, { text: "In short." }, { text: "Yes." }]);
    const prompts = await Promise.all(
      ["one", "two", "three"].map((text) => Array.fromAsync(agent.session().prompt(text))),
    );
    await agent.close();
    expect(prompts.flat().some(({ type }) => type === "context_compacted")).toBe(isSummarised);
  });
});
