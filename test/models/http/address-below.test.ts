import { expect, test } from "bun:test";
import { openModel } from "@mdx-ai/models";
import { modelRequest } from "../../support/model-request.ts";

test("a request goes below the address that was set, query and all, in the newest version of the protocol", async () => {
  const asked: string[] = [];
  using server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const { pathname, search } = new URL(request.url);
      asked.push(`${request.method} ${pathname}${search} ${request.headers.get("anthropic-version") ?? "-"}`);
      return Response.json({ error: { message: "" } }, { status: 400 });
    },
  });
  const ask = async (model: string, environment: Readonly<Record<string, string>>): Promise<string | undefined> => {
    const { stream } = await openModel(model, { environment });
    const events = await Array.fromAsync(stream(modelRequest("Hi"), new AbortController().signal));
    const last = events.at(-1);
    return last?.type === "error" ? last.error.message : undefined;
  };
  const base = `${server.url.origin}/at?tenant=7`;
  const says = await ask("anthropic/claude-x", { ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: base });
  await ask("openai/llama", { OPENAI_API_KEY: "k", OPENAI_BASE_URL: base });
  await ask("openai/gpt-x", { OPENAI_API_KEY: "k", OPENAI_BASE_URL: base });
  await ask("azure/gpt-x", {
    AZURE_OPENAI_API_KEY: "k",
    AZURE_OPENAI_ENDPOINT: `${server.url.origin}/openai/?tenant=7`,
    AZURE_OPENAI_API_VERSION: "2024-02-01",
  });
  expect(asked).toEqual([
    "POST /at/v1/messages?tenant=7 2026-10-21",
    "POST /at/chat/completions?tenant=7 -",
    "POST /at/responses?tenant=7 -",
    "POST /openai/deployments/gpt-x/chat/completions?tenant=7&api-version=2024-02-01 -",
  ]);
  expect(says).toBe('anthropic answered 400: {"error":{"message":""}}');
});
