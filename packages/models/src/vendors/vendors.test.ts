import { describe, expect, test } from "bun:test";
import { inspect } from "node:util";
import type { Environment } from "@mdx-ai/base";
import { MissingKeyError, ModelError, openModel } from "@mdx-ai/models";
import {
  assistantMessage,
  endOf,
  eventsOf,
  modelRequest,
  toolResult,
  toolSchema,
  userMessage,
} from "../../../../test/support/model-request.ts";
import { textReply, toolReply } from "../../../../test/support/openai-replies.ts";
import type { RuledVendor } from "../../../../test/support/openai-rules.ts";
import { openAiServer, testKey } from "../../../../test/support/openai-server.ts";
import { vendors } from "./vendors.ts";

/** The vendors of this protocol: where they are, what their key and address are called, and a model of theirs. */
const table: readonly { vendor: RuledVendor; address: string; key: string; url: string; model: string }[] = [
  {
    vendor: "openai",
    address: "https://api.openai.com/v1",
    key: "OPENAI_API_KEY",
    url: "OPENAI_BASE_URL",
    model: "gpt-5.4",
  },
  {
    vendor: "gemini",
    address: "https://generativelanguage.googleapis.com/v1beta/openai",
    key: "GEMINI_API_KEY",
    url: "GEMINI_BASE_URL",
    model: "gemini-3.8-flash",
  },
  {
    vendor: "mistral",
    address: "https://api.mistral.ai/v1",
    key: "MISTRAL_API_KEY",
    url: "MISTRAL_BASE_URL",
    model: "mistral-large-latest",
  },
  {
    vendor: "openrouter",
    address: "https://openrouter.ai/api/v1",
    key: "OPENROUTER_API_KEY",
    url: "OPENROUTER_BASE_URL",
    model: "openrouter/auto",
  },
  {
    vendor: "groq",
    address: "https://api.groq.com/openai/v1",
    key: "GROQ_API_KEY",
    url: "GROQ_BASE_URL",
    model: "llama-3.3-70b-versatile",
  },
  {
    vendor: "deepseek",
    address: "https://api.deepseek.com",
    key: "DEEPSEEK_API_KEY",
    url: "DEEPSEEK_BASE_URL",
    model: "deepseek-flash",
  },
  { vendor: "xai", address: "https://api.x.ai/v1", key: "XAI_API_KEY", url: "XAI_BASE_URL", model: "grok-4.7" },
  { vendor: "azure", address: "", key: "AZURE_OPENAI_API_KEY", url: "AZURE_OPENAI_ENDPOINT", model: "" },
  { vendor: "ollama", address: "http://localhost:11434/v1", key: "", url: "OLLAMA_BASE_URL", model: "" },
];

/** What opening a model throws. */
async function failure(reference: string, environment: Environment): Promise<unknown> {
  return openModel(reference, { environment }).then(
    () => "opened",
    (error: unknown) => error,
  );
}

describe.each(table)("$vendor", ({ vendor, address, key, url, model }) => {
  // Models of OpenAI's own are asked at another interface.
  const name = vendor === "openai" ? "some-model" : model || "some-model";

  test("is reached where its vendor says, or where its variable says", () => {
    const listed = vendors.find((candidate) => candidate.name === vendor);
    expect(listed).toMatchObject({ url: address, urlVariable: url, model });
    expect(listed?.keyVariables[0] ?? "").toBe(key);
  });

  test("is asked with its key and in its way, and works off calls of tools", async () => {
    using server = openAiServer(toolReply({ id: "call_1", name: "list", input: {} }), textReply("Done."));
    const opened = await openModel(`${vendor}/${name}`, { environment: server.environment(vendor) });
    const settings = { tools: [toolSchema("list", "Lists")], system: "Be kind.", maxTokens: 100, temperature: 0 };
    const first = endOf(await eventsOf(opened, modelRequest("Go.", settings))).message;
    const [call] = first.content.filter((block) => block.type === "toolCall");
    expect(first).toMatchObject({ provider: vendor, model: name, stopReason: "toolUse", content: [{ name: "list" }] });
    const png = { type: "image", data: "aGk=", mimeType: "image/png" } as const;
    const history = [
      userMessage("Go."),
      assistantMessage([{ type: "toolCall", id: "toolu_0", name: "list", arguments: {} }]),
      toolResult("toolu_0", "", { content: [png] }),
      first,
      toolResult(call?.id ?? "", "a.md"),
      userMessage("And now?"),
    ];
    const second = endOf(await eventsOf(opened, modelRequest(history, settings)));
    expect(server.requests.map(({ refusal }) => refusal)).toStrictEqual([undefined, undefined]);
    expect(second).toMatchObject({ type: "done", message: { stopReason: "stop", content: [{ text: "Done." }] } });
    expect(inspect([first, second], { depth: 20 })).not.toContain(testKey);
  });

  test("is asked at the address and with the key that a configuration gives, which take precedence over the environment", async () => {
    using server = openAiServer(textReply("Yes."));
    const baseUrl = `${server.environment(vendor)[url]}/`;
    const environment = { [key || "X"]: "sk-of-the-environment", [url]: "http://127.0.0.1:1" };
    const settings = { environment, baseUrl, ...(key === "" ? {} : { apiKey: testKey }) };
    expect(endOf(await eventsOf(await openModel(`${vendor}/${name}`, settings))).type).toBe("done");
  });

  test("refuses an address that is none, by the name of its variable", async () => {
    const error = await failure(`${vendor}/${name}`, { [key || "X"]: testKey, [url]: "not an address" });
    expect(error).toBeInstanceOf(ModelError);
    expect(`${error}`).toContain(url);
  });
});

test.each(table.filter(({ key }) => key !== ""))("$vendor without its key names $key", async ({ vendor, key, url }) => {
  const error = await failure(`${vendor}/some-model`, { [url]: "http://127.0.0.1:1", [key]: " " });
  expect(error).toBeInstanceOf(MissingKeyError);
  expect(error).toMatchObject({ variable: key });
});

test("gemini's key may have Google's name", async () => {
  using server = openAiServer(textReply("Yes."));
  const { GEMINI_BASE_URL } = server.environment("gemini");
  const model = await openModel("gemini", { environment: { GEMINI_BASE_URL, GOOGLE_API_KEY: testKey } });
  expect(endOf(await eventsOf(model)).type).toBe("done");
});

describe("azure", () => {
  test("without an endpoint says which variable to set", async () => {
    expect(`${await failure("azure/my-deployment", { AZURE_OPENAI_API_KEY: testKey })}`).toContain(
      "set AZURE_OPENAI_ENDPOINT to yours",
    );
  });

  test.each([
    { title: "2024-02-01 by default", options: {}, version: "2024-02-01" },
    {
      title: "of its variable",
      options: { environment: { AZURE_OPENAI_API_VERSION: " 2024-10-21 " } },
      version: "2024-10-21",
    },
    {
      title: "of a configuration",
      options: { apiVersion: "2025-01-01", environment: { AZURE_OPENAI_API_VERSION: "2024-10-21" } },
      version: "2025-01-01",
    },
  ])("is asked in version $title", async ({ options, version }) => {
    using server = openAiServer(textReply("Yes."));
    const environment = { ...server.environment("azure"), ...("environment" in options ? options.environment : {}) };
    const model = await openModel("azure/my deployment", { ...options, environment });
    expect(endOf(await eventsOf(model, modelRequest("Hi", { maxTokens: 7, effort: "low" }))).type).toBe("done");
    expect(server.requests[0]?.path).toBe(
      `/azure/openai/deployments/my%20deployment/chat/completions?api-version=${version}`,
    );
    const newer = { stream_options: { include_usage: true }, max_completion_tokens: 7 };
    const messages = [{ role: "user", content: "Hi" }];
    expect<unknown>(server.requests[0]?.body).toEqual({
      model: "my deployment",
      stream: true,
      messages,
      ...(version === "2024-02-01" ? { max_tokens: 7 } : newer),
      ...(version === "2025-01-01" ? { reasoning_effort: "low" } : {}),
    });
  });

  test("takes an endpoint that ends in /openai as one without", async () => {
    using server = openAiServer(textReply("Yes."));
    const { AZURE_OPENAI_ENDPOINT, ...rest } = server.environment("azure");
    const environment = { ...rest, AZURE_OPENAI_ENDPOINT: `${AZURE_OPENAI_ENDPOINT}/openai/` };
    expect(endOf(await eventsOf(await openModel("azure/d", { environment }))).type).toBe("done");
  });
});
