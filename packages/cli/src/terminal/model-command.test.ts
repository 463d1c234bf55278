import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { type ChoosableModels, choosableModels, plainRun } from "@mdx-ai/directory";
import { type LanguageModel, openModel } from "@mdx-ai/models";
import { readAgentDirectory } from "@mdx-ai/parser";
import { agentDirectory } from "../../../../test/support/agent-directory.ts";
import { surroundingsIn } from "../../../../test/support/front-end.ts";
import type { Chosen, ListQuestion } from "./list-questions.ts";
import { runModel, runReasoning } from "./model-command.ts";

const AGENT = "---\nmodel: openai/gpt-5.4\n---\n\n# Agent: A\n\n## Purpose\n\nBe.\n";
const KEYS = { OPENAI_API_KEY: "sk-one", MISTRAL_API_KEY: "sk-two" };

interface ModelCase {
  readonly environment?: Readonly<Record<string, string>>;
  readonly flag?: string;
  readonly configuration?: string;
}

/** The models that a start in an agent directory with this configuration offers. */
async function offered(
  { environment = KEYS, flag, configuration }: ModelCase,
  work: (models: ChoosableModels) => Promise<void>,
) {
  using directory = agentDirectory({ "agent.mdx": AGENT, "models.yaml": configuration ?? "" });
  const read = await readAgentDirectory(directory.path);
  const run = {
    ...plainRun(directory.path, directory.path),
    flags: flag === undefined ? {} : { model: flag },
    ...(configuration !== undefined && { configuration: join(directory.path, "models.yaml") }),
  };
  const secrets: string[] = [];
  const noted = surroundingsIn(directory.path, environment);
  const frontEnd = { ...noted, onSecrets: (some: readonly string[]) => secrets.push(...some) };
  await work(choosableModels({ run, directory: () => read, frontEnd }));
  return secrets;
}

describe("the models of a conversation", () => {
  test("are the configured ones, and the usual one of each vendor whose key is set", async () => {
    await offered({}, async (models) => {
      const listed = await models.list();
      expect(listed[0]).toStrictEqual({ reference: "openai/gpt-5.4", origin: "agent.mdx", missing: [] });
      const mistral = { origin: "environment MISTRAL_API_KEY", missing: [] };
      expect(listed).toContainEqual({ reference: "mistral/mistral-large-latest", ...mistral });
      // The price table has them.
      const names = listed.map(({ reference }) => reference);
      expect(names.filter((name) => name.startsWith("openai/")).length).toBeGreaterThan(5);
      expect(new Set(names).size).toBe(names.length);
      expect(names.some((name) => name.startsWith("anthropic/"))).toBe(false);
    });
  });

  test("include what a flag replaced, and say which key is missing", async () => {
    await offered({ environment: {}, flag: "anthropic/claude-x" }, async (models) => {
      expect(await models.list()).toStrictEqual([
        { reference: "openai/gpt-5.4", origin: "agent.mdx", missing: ["OPENAI_API_KEY"] },
        { reference: "anthropic/claude-x", origin: "flag --model", missing: ["ANTHROPIC_API_KEY"] },
      ]);
    });
  });

  test("are opened with the keys of the start, which no output shows", async () => {
    const configuration = "vendor: mistral\nmodel: mistral/large\napi_key: from-the-file\n";
    const secrets = await offered({ configuration }, async (models) => {
      const { provider, name } = await models.open("mistral/mistral-small-latest");
      expect({ provider, name }).toStrictEqual({ provider: "mistral", name: "mistral-small-latest" });
      await expect(models.open("anthropic/claude-x")).rejects.toThrow("ANTHROPIC_API_KEY");
    });
    expect(secrets).toContain("from-the-file");
  });
});

/** Runs `/model` on a conversation with two models, with this choice from its list. */
async function ran(words: string, chosen?: Chosen) {
  const open = async (reference: string): Promise<LanguageModel> => openModel(reference, { environment: KEYS });
  const listed = ["mistral/mistral-small-latest", "openai/gpt-5.4"].map((reference) => ({
    reference,
    origin: "here",
    missing: [],
  }));
  const used: string[] = [];
  const asked: ListQuestion[] = [];
  const answer = await runModel(words, {
    models: { list: async () => listed, open },
    model: await open("openai/gpt-5.4"),
    choose: async (question) => {
      asked.push(question);
      return chosen;
    },
    use: ({ provider, name }) => used.push(`${provider}/${name}`),
  });
  return { answer, used, titles: asked.flatMap(({ choices }) => choices.map(({ title }) => title)) };
}

describe("/model", () => {
  test("uses the model that it names", async () => {
    expect(await ran("mistral/mistral-small-latest")).toStrictEqual({
      answer: "From the next prompt on, the model is mistral/mistral-small-latest.",
      used: ["mistral/mistral-small-latest"],
      titles: [],
    });
  });

  test("lets the user choose, beginning with the one that is asked", async () => {
    expect(await ran("", { type: "picked", index: 1 })).toStrictEqual({
      answer: "From the next prompt on, the model is mistral/mistral-small-latest.",
      used: ["mistral/mistral-small-latest"],
      titles: ["openai/gpt-5.4", "mistral/mistral-small-latest"],
    });
  });

  test("warns of a name that the price table does not have", async () => {
    const { answer, used } = await ran("mistral/mistral-smal-latest");
    expect(answer).toMatch(/^From the next prompt on, [^\n]*\nWarning: the price table has no mistral model /);
    expect(answer).toContain("did you mean `mistral-small-latest`?");
    expect(used).toStrictEqual(["mistral/mistral-smal-latest"]);
  });

  test("takes a name that is in no list", async () => {
    expect((await ran("", { type: "typed", text: "mistral/other" })).used).toStrictEqual(["mistral/other"]);
  });

  test("changes nothing when the list is left, or the model is asked already", async () => {
    expect(await ran("")).toMatchObject({ answer: "The model stays openai/gpt-5.4.", used: [] });
    expect(await ran("openai/gpt-5.4")).toMatchObject({ answer: "The model is already openai/gpt-5.4.", used: [] });
  });

  test("rejects for a vendor that does not exist, or whose key is not set", async () => {
    await expect(ran("opneai/gpt-5.4")).rejects.toThrow("openai");
    await expect(ran("anthropic/claude-x")).rejects.toThrow("ANTHROPIC_API_KEY");
  });
});

describe("/effort and /thinking", () => {
  test.each([
    ["/effort", "low", { reasoning_effort: "low" }],
    ["/thinking", "off", { thinking: "off" }],
    ["/thinking", "adaptive", { thinking: "adaptive" }],
    ["/thinking", "4000", { thinking: { budget: 4000 } }],
  ] as const)("%s %s opens the model with it", async (command, words, settings) => {
    const model = openModel("openai/gpt-5.4", { environment: KEYS });
    const opened: unknown[] = [];
    const models = {
      list: async () => [],
      open: async (...asked: unknown[]) => {
        opened.push(asked);
        return model;
      },
    };
    const answer = await runReasoning(command, words, { models, model: await model, use: () => {} });
    expect(answer).toBe(`From the next prompt on, ${command.slice(1)} of openai/gpt-5.4 is ${words}.`);
    expect(opened).toStrictEqual([["openai/gpt-5.4", settings]]);
  });

  test.each([
    ["/effort", ""],
    ["/thinking", "a lot"],
    ["/thinking", "0"],
  ] as const)("%s %j says what to write", async (command, words) => {
    const model = await openModel("openai/gpt-5.4", { environment: KEYS });
    const models = { list: async () => [], open: async () => model };
    const use = (): void => expect.unreachable();
    expect(await runReasoning(command, words, { models, model, use })).toStartWith(`${command} `);
  });
});
