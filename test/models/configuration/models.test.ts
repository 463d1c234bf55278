import { describe, expect, test } from "bun:test";
import type { Environment } from "@mdx-ai/base";
import {
  accessOf,
  type Configuration,
  ConfigurationError,
  type ResolvedModel,
  resolveConfiguration,
} from "@mdx-ai/models";

interface Said {
  readonly flags?: Configuration;
  readonly inline?: Configuration;
  readonly environment?: Environment;
  readonly author?: Configuration;
}

async function modelsOf({
  flags = {},
  inline,
  environment = {},
  author = {},
}: Said): Promise<readonly ResolvedModel[]> {
  const variables = { ...environment, ...(inline && { LLM_PROVIDER_CONFIG: JSON.stringify(inline) }) };
  return (await resolveConfiguration({ flags, environment: variables, author, cwd: "/" })).models;
}

const anthropicKey = { ANTHROPIC_API_KEY: "k" };

describe("the name of a model is understood", () => {
  const rows: readonly [string, Said, readonly string[], string][] = [
    [
      "vendor and model of the environment",
      env("openai", "gpt-4o"),
      ["openai/gpt-4o"],
      "LLM_MODEL, environment LLM_VENDOR",
    ],
    ["one of Mistral", env("mistral", "mistral-large-latest"), ["mistral/mistral-large-latest"], "LLM_MODEL"],
    ["a local one", env("ollama", "llama3:8b"), ["ollama/llama3:8b"], "LLM_MODEL"],
    [
      "of another maker at a vendor",
      env("openrouter", "anthropic/claude-x"),
      ["openrouter/anthropic/claude-x"],
      "LLM_MODEL",
    ],
    ["with its vendor twice", env("anthropic", "anthropic/claude-x"), ["anthropic/claude-x"], "LLM_MODEL"],
    [
      "that begins as its vendor is called",
      env("openrouter", "openrouter/auto"),
      ["openrouter/openrouter/auto"],
      "LLM_MODEL",
    ],
    ["a vendor alone", env("openai"), ["openai/gpt-5.4"], "environment LLM_VENDOR"],
    ["white space around", env(" openai ", " gpt-x "), ["openai/gpt-x"], "LLM_MODEL"],
    [
      "empty variables",
      { environment: { LLM_VENDOR: "", LLM_MODEL: "  ", LLM_PROVIDER_CONFIG: " " } },
      ["offline"],
      "default",
    ],
    ["a reference alone", env(undefined, "gemini/gemini-x"), ["gemini/gemini-x"], "environment LLM_MODEL"],
    ["a name that tells its vendor", env(undefined, "gpt-x"), ["openai/gpt-x"], "environment LLM_MODEL"],
    [
      "a name of the vendor whose key is set",
      env(undefined, "mythos", anthropicKey),
      ["anthropic/mythos"],
      "environment LLM_MODEL",
    ],
    [
      "a name at Azure, whose key alone is set",
      env(undefined, "mine", { AZURE_OPENAI_API_KEY: "k" }),
      ["azure/mine"],
      "LLM_MODEL",
    ],
    [
      "a list",
      env(undefined, "claude-x, gpt-x,offline"),
      ["anthropic/claude-x", "openai/gpt-x", "offline"],
      "LLM_MODEL",
    ],
    ["a list of one vendor", env("groq", "a,openai/b"), ["groq/a", "groq/openai/b"], "LLM_MODEL"],
    ["a model twice", { flags: { model: ["gpt-x", "openai/gpt-x"] } }, ["openai/gpt-x"], "flag --model"],
    ["a vendor of its own name", { flags: { model: "anthropic" } }, ["anthropic/claude-sonnet-5-5"], "flag --model"],
    [
      "a script, whatever the vendor",
      { ...env("azure"), flags: { model: "script:a b.jsonl" } },
      ["script:a b.jsonl"],
      "flag --model",
    ],
    [
      "a package, whatever the vendor",
      env("openai", "ai-sdk:@ai-sdk/x#y"),
      ["ai-sdk:@ai-sdk/x#y"],
      "environment LLM_MODEL",
    ],
    [
      "a flag at the vendor of the environment",
      { ...env("azure"), flags: { model: "mine" } },
      ["azure/mine"],
      "flag --model, environment LLM_VENDOR",
    ],
    [
      "a flag with a name of another vendor",
      { ...env("anthropic"), flags: { model: "gpt-x" } },
      ["openai/gpt-x"],
      "flag --model",
    ],
    [
      "a flag with any name at a gateway",
      { ...env("openrouter"), flags: { model: "gpt-x" } },
      ["openrouter/gpt-x"],
      "flag --model",
    ],
    [
      "a vendor above a model that is its own",
      { ...env(undefined, "gpt-x"), inline: { vendor: "openai" } },
      ["openai/gpt-x"],
      "environment LLM_MODEL, LLM_PROVIDER_CONFIG",
    ],
    [
      "a vendor above a model that is not",
      { ...env(undefined, "claude-x"), inline: { vendor: "openai" } },
      ["openai/gpt-5.4"],
      "LLM_PROVIDER_CONFIG",
    ],
    [
      "a vendor above a list of the author",
      { ...env("openai"), author: { model: ["claude-x", "gpt-x", "gpt-y"] } },
      ["openai/gpt-x", "openai/gpt-y"],
      "agent.mdx, environment LLM_VENDOR",
    ],
    [
      "a local vendor above a local model",
      { ...env("ollama"), author: { model: "llama3" } },
      ["ollama/llama3"],
      "agent.mdx",
    ],
    ["a configuration without a vendor", { inline: { model: "mine" } }, ["openai/mine"], "LLM_PROVIDER_CONFIG"],
    [
      "one beside a key of another vendor",
      { inline: { model: "mine" }, environment: anthropicKey },
      ["anthropic/mine"],
      "LLM_PROVIDER_CONFIG",
    ],
    [
      "one with an address of its own",
      { inline: { model: "org/mine", base_url: "http://localhost:1/v1" }, environment: anthropicKey },
      ["openai/org/mine"],
      "LLM_PROVIDER_CONFIG",
    ],
    ["a key alone", { inline: { api_key: "k" } }, ["openai/gpt-5.4"], "LLM_PROVIDER_CONFIG"],
  ];
  test.each(rows)("%s", async (_title, said, references, origin) => {
    const models = await modelsOf(said);
    expect(models.map(({ reference }) => reference.value)).toEqual([...references]);
    expect(models[0]?.reference.origin).toContain(origin);
  });
});

function env(vendor?: string, model?: string, more: Environment = {}): Said {
  return { environment: { LLM_VENDOR: vendor, LLM_MODEL: model, ...more } };
}

describe("without a model", () => {
  test.each([
    ["OPENAI_API_KEY", "openai/gpt-5.4"],
    ["GOOGLE_API_KEY", "gemini/gemini-2.5-pro"],
    ["GEMINI_API_KEY", "gemini/gemini-2.5-pro"],
  ])("the vendor of %s is detected", async (variable, reference) => {
    const [model] = await modelsOf({ environment: { [variable]: "k" } });
    expect(model?.reference.origin).toBe(`detected by ${variable}`);
    expect(model?.reference.value.split("/")[0]).toBe(reference.split("/")[0]);
  });

  test("and a key the offline model is used, unless a configuration forbids it", async () => {
    expect((await modelsOf({})).map(({ reference }) => reference.value)).toEqual(["offline"]);
    expect(await modelsOf({ author: { offline: false } })).toEqual([]);
    expect(await modelsOf({ author: { offline: false }, inline: { offline: true } })).toHaveLength(1);
    expect(await modelsOf({ flags: { offline: false, model: "offline" } })).toHaveLength(1);
  });
});

describe("a wrong word is reported with its source", () => {
  const rows: readonly [string, Said, readonly string[]][] = [
    ["an unknown vendor", env("opnai", "x"), ["environment LLM_VENDOR", "`opnai`", "did you mean `openai`?"]],
    ["a vendor with swapped letters", env("opneai"), ["did you mean `openai`?"]],
    ["a vendor in capitals", env("OpenAI"), ["did you mean `openai`?"]],
    ["LangChain", env("langchain", "x"), ["environment LLM_VENDOR", "ai-sdk:PACKAGE#NAME"]],
    [
      "LangChain in a configuration",
      { inline: { vendor: "langchain" } },
      ["LLM_PROVIDER_CONFIG", "ai-sdk:PACKAGE#NAME"],
    ],
    ["an unknown model", env(undefined, "nonsense"), ["environment LLM_MODEL", '"nonsense"']],
    [
      "a misspelt vendor of a model",
      { flags: { model: "anthropc/x" }, environment: anthropicKey },
      ["flag --model", "anthropic/x"],
    ],
    [
      "a misspelt vendor beside a key",
      env(undefined, "anthropc/x", anthropicKey),
      ["environment LLM_MODEL", "anthropic/x"],
    ],
    ["a misspelt model of the author", { author: { model: ["offline", "claud"] } }, ["agent.mdx", '"claud"']],
    ["a vendor that needs a model", env("ollama"), ["environment LLM_VENDOR", "ollama/NAME", "LLM_MODEL"]],
    ["commas alone", env(undefined, ","), ["environment LLM_MODEL", "expected a model"]],
  ];
  test.each(rows)("%s", async (_title, said, words) => {
    const error: unknown = await modelsOf(said).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ConfigurationError);
    for (const word of words) expect(`${error}`).toContain(word);
    expect(`${error}`).not.toContain("\n");
  });

  test("but not where a source above makes it meaningless", async () => {
    expect(await modelsOf({ flags: { model: "offline" }, author: { model: "claud" } })).toHaveLength(1);
  });
});

describe("an interface of OpenAI's", () => {
  const apis = async (said: Said): Promise<readonly unknown[]> =>
    (await modelsOf(said)).map((model) => [model.reference.value, accessOf(model)?.api?.value]);

  test.each<[string, Said, readonly unknown[]]>([
    [
      "that stands alone is that of OpenAI's models",
      { inline: { api: "chat" }, flags: { model: "gpt-x" } },
      [["openai/gpt-x", "chat"]],
    ],
    [
      "that stands alone chooses no model",
      { inline: { api: "chat" }, environment: anthropicKey },
      [["anthropic/claude-sonnet-5-5", undefined]],
    ],
    [
      "is that of its source's vendor",
      { inline: { vendor: "openai", model: ["llama", "gpt-x"], api: "responses" } },
      [
        ["openai/llama", "responses"],
        ["openai/gpt-x", "responses"],
      ],
    ],
    ["that is not set follows from the name", { flags: { model: "gpt-x" } }, [["openai/gpt-x", undefined]]],
  ])("%s", async (_title, said, expected) => {
    expect(await apis(said)).toEqual(expected);
  });
});

describe("a key and an address belong to the vendor of their own source", () => {
  const connection = { api_key: "K", base_url: "http://localhost:1", api_version: "v" };
  const rows: readonly [string, Said, readonly (readonly [string, boolean])[]][] = [
    ["its vendor", { inline: { vendor: "openai", model: "gpt-x", ...connection } }, [["openai/gpt-x", true]]],
    ["the vendor of its model", { inline: { model: "claude-x", ...connection } }, [["anthropic/claude-x", true]]],
    [
      "a model of that vendor from above",
      { flags: { model: "gpt-y" }, inline: { vendor: "openai", ...connection } },
      [["openai/gpt-y", true]],
    ],
    [
      "not another vendor's model from above",
      { flags: { model: "claude-x" }, inline: { vendor: "openai", ...connection } },
      [["anthropic/claude-x", false]],
    ],
    [
      "not another vendor of the same list",
      { inline: { model: ["gpt-x", "claude-x"], ...connection } },
      [
        ["openai/gpt-x", true],
        ["anthropic/claude-x", false],
      ],
    ],
    [
      "openai where no vendor is told, not the detected one",
      { inline: connection, environment: anthropicKey },
      [["openai/gpt-5.4", true]],
    ],
    [
      "nobody where the model is no vendor's",
      { flags: { model: "offline" }, inline: { model: "script:x", ...connection } },
      [["offline", false]],
    ],
    [
      "not the vendor of the environment",
      { flags: { model: "claude-x" }, inline: connection, environment: { LLM_VENDOR: "anthropic" } },
      [["anthropic/claude-x", false]],
    ],
  ];
  test.each(rows)("%s", async (_title, said, expected) => {
    const models = await modelsOf(said);
    const found = models.map((model) => [
      model.reference.value,
      accessOf(model)?.key?.name === "api_key",
      accessOf(model)?.address?.name === "base_url",
    ]);
    expect(found).toEqual(expected.map(([reference, has]) => [reference, has, has]));
  });

  test("and an author's are passed over", async () => {
    const author: Configuration = { vendor: "openai", model: "claude-x", ...connection };
    const [model] = await modelsOf({ author });
    expect(model).toMatchObject({
      reference: { value: "anthropic/claude-x" },
      target: { access: { key: undefined, address: undefined } },
    });
  });

  test("as does Azure's version, which has a default", async () => {
    const azure = { vendor: "azure", model: "mine" };
    const versions = await Promise.all([
      modelsOf({ inline: azure }),
      modelsOf({ inline: azure, environment: { AZURE_OPENAI_API_VERSION: "from-variable" } }),
      modelsOf({
        inline: { ...azure, api_version: "own" },
        environment: { AZURE_OPENAI_API_VERSION: "from-variable" },
      }),
    ]);
    expect(versions.map(([model]) => model && accessOf(model)?.apiVersion?.value)).toEqual([
      "2024-02-01",
      "from-variable",
      "own",
    ]);
  });
});
