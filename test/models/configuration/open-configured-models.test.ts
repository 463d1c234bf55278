import { describe, expect, test } from "bun:test";
import type { Environment } from "@mdx-ai/base";
import {
  type Configuration,
  type ConfiguredModels,
  MissingKeyError,
  NoModelError,
  openConfiguredModels,
  resolveConfiguration,
} from "@mdx-ai/models";
import { textReply } from "../../support/anthropic-replies.ts";
import { anthropicServer } from "../../support/anthropic-server.ts";
import { modelRequest, userMessage } from "../../support/model-request.ts";
import { scriptReference } from "../../support/replies.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

async function opened(flags: Configuration, environment: Environment = {}): Promise<ConfiguredModels> {
  const resolved = await resolveConfiguration({ flags, environment, cwd: "/" });
  return await openConfiguredModels(resolved, { cwd: "/" });
}

const namesOf = ({ model, fallbacks }: ConfiguredModels): readonly string[] =>
  [model, ...fallbacks].map(({ provider, name }) => `${provider}/${name}`);

describe("a list of models", () => {
  const list = { model: ["anthropic/claude-x", "openai/gpt-x", "azure/mine", "offline"] };

  test("is opened in its order", async () => {
    const keys = { ANTHROPIC_API_KEY: "k", OPENAI_API_KEY: "k", AZURE_OPENAI_API_KEY: "k" };
    const models = await opened(list, { ...keys, AZURE_OPENAI_ENDPOINT: "https://mine.example" });
    expect(namesOf(models)).toEqual(["anthropic/claude-x", "openai/gpt-x", "azure/mine", "offline/offline"]);
    expect(models.notices).toEqual([]);
  });

  test("is shortened by models whose key or address is missing, with a notice for each", async () => {
    const models = await opened(list, { OPENAI_API_KEY: "k", AZURE_OPENAI_API_KEY: "k" });
    expect(namesOf(models)).toEqual(["openai/gpt-x", "offline/offline"]);
    expect(models.notices).toEqual([
      "anthropic/claude-x is left out: ANTHROPIC_API_KEY is not set",
      "azure/mine is left out: AZURE_OPENAI_ENDPOINT is not set",
    ]);
    const without = await opened(list);
    expect(without.notices[2]).toBe(
      "azure/mine is left out: AZURE_OPENAI_API_KEY and AZURE_OPENAI_ENDPOINT are not set",
    );
  });

  test("is shortened by one whose key cannot be one", async () => {
    const models = await opened({ model: ["openai/x", "offline"] }, { OPENAI_API_KEY: "no key" });
    expect(models.notices).toEqual(["openai/x is left out: OPENAI_API_KEY contains no key"]);
  });

  test("is refused if one is a mistake", async () => {
    const error = await opened({ model: ["offline", "script:/nowhere.jsonl"] }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: "ModelScriptError" });
  });

  test("reports the key of the first if none can be used", async () => {
    const error = await opened({ model: ["openai/a", "anthropic/b"] }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(MissingKeyError);
    expect(`${error}`).toContain("OPENAI_API_KEY");
  });
});

test("one model without its key is reported", async () => {
  const error = await opened({ model: "mistral/x" }).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ name: "MissingKeyError", variable: "MISTRAL_API_KEY" });
});

test("without a usable model the ways to configure one are reported", async () => {
  const error = await opened({ offline: false }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(NoModelError);
  for (const way of ["ANTHROPIC_API_KEY", "LLM_VENDOR", "LLM_MODEL", "--model", "--config", "mdx-ai models"]) {
    expect(`${error}`).toContain(way);
  }
  expect(`${error}`).not.toContain("\n");
});

test("a script's path may be relative to the given folder", async () => {
  using directory = temporaryDirectory();
  const reference = scriptReference(directory.path, [{ text: "hi" }]);
  const flags = { model: reference.replace(`${directory.path}/`, "") };
  const resolved = await resolveConfiguration({ flags, environment: {}, cwd: directory.path });
  const { model } = await openConfiguredModels(resolved, { cwd: directory.path });
  expect(model.provider).toBe("script");
});

describe("a key and an address of a configuration", () => {
  /** Asks the models of a configuration beside the key and the address of a server, and gives the keys that it saw. */
  async function keysSeen(values: Configuration, variables: Environment = {}): Promise<readonly (string | null)[]> {
    using server = anthropicServer(textReply("Hi."));
    using other = anthropicServer(textReply("Hi."));
    const address = { ...values, ...("base_url" in values && { base_url: server.environment.ANTHROPIC_BASE_URL }) };
    const environment = {
      ANTHROPIC_API_KEY: "key-of-variable",
      ANTHROPIC_BASE_URL: other.environment.ANTHROPIC_BASE_URL,
      LLM_PROVIDER_CONFIG: JSON.stringify(address),
      ...variables,
    };
    const resolved = await resolveConfiguration({ flags: { model: "anthropic/claude-test" }, environment, cwd: "/" });
    const { model } = await openConfiguredModels(resolved, { cwd: "/" });
    for await (const _event of model.stream(modelRequest([userMessage("hi")]), new AbortController().signal));
    const seen = (requests: typeof server.requests): readonly (string | null)[] =>
      requests.map(({ headers }) => headers.get("authorization"));
    return [...seen(server.requests), "|", ...seen(other.requests)];
  }

  test("reach the server of their vendor", async () => {
    const own = { vendor: "anthropic", api_key: "own-key", base_url: "" };
    expect(await keysSeen(own)).toEqual(["Bearer own-key", "|"]);
  });

  test("replace the variables one by one", async () => {
    expect(await keysSeen({ vendor: "anthropic", api_key: "own-key" })).toEqual(["|", "Bearer own-key"]);
    expect(await keysSeen({ vendor: "anthropic", base_url: "" })).toEqual(["Bearer key-of-variable", "|"]);
  });

  test("never reach another vendor's, nor does another's key reach them", async () => {
    const foreign = { vendor: "openai", api_key: "own-key", base_url: "" };
    expect(await keysSeen(foreign)).toEqual(["|", "Bearer key-of-variable"]);
    expect(await keysSeen({ base_url: "" })).toEqual(["|", "Bearer key-of-variable"]);
  });
});
