import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { plainRun } from "@mdx-ai/directory";
import { type LanguageModel, openModel } from "@mdx-ai/models";
import { readAgentDirectory } from "@mdx-ai/parser";
import { agentDirectory } from "../../support/agent-directory.ts";
import {
  type ChoosableModels,
  type Chosen,
  choosableModels,
  type ListQuestion,
  runModel,
} from "../../support/cli/terminal.ts";
import { surroundingsIn } from "../../support/front-end.ts";

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
      expect(await models.list()).toStrictEqual([
        { reference: "openai/gpt-5.4", origin: "agent.mdx", missing: [] },
        { reference: "mistral/mistral-large-latest", origin: "environment MISTRAL_API_KEY", missing: [] },
      ]);
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
      const { provider, name } = await models.open("mistral/small");
      expect({ provider, name }).toStrictEqual({ provider: "mistral", name: "small" });
      await expect(models.open("anthropic/claude-x")).rejects.toThrow("ANTHROPIC_API_KEY");
    });
    expect(secrets).toContain("from-the-file");
  });
});

/** Runs `/model` on a conversation with two models, with this choice from its list. */
async function ran(words: string, chosen?: Chosen) {
  const open = async (reference: string): Promise<LanguageModel> => openModel(reference, { environment: KEYS });
  const listed = ["mistral/small", "openai/gpt-5.4"].map((reference) => ({ reference, origin: "here", missing: [] }));
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
    expect(await ran("mistral/small")).toStrictEqual({
      answer: "From the next prompt on, the model is mistral/small.",
      used: ["mistral/small"],
      titles: [],
    });
  });

  test("lets the user choose, beginning with the one that is asked", async () => {
    expect(await ran("", { type: "picked", index: 1 })).toStrictEqual({
      answer: "From the next prompt on, the model is mistral/small.",
      used: ["mistral/small"],
      titles: ["openai/gpt-5.4", "mistral/small"],
    });
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
