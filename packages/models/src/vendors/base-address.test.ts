import { describe, expect, test } from "bun:test";
import type { Environment } from "@mdx-ai/base";
import { openModel } from "@mdx-ai/models";
import { accessTo } from "./access.ts";
import { connect } from "./connection.ts";
import { vendorNamed } from "./vendors.ts";

/** Where a model is asked whose vendor's address a user wrote like that. */
function askedAt(vendorName: string, written: string, model = "m", environment: Environment = {}): string {
  const vendor = vendorNamed(vendorName);
  if (vendor === undefined) throw new Error(`no vendor ${vendorName}`);
  const keys = Object.fromEntries(vendor.keyVariables.map((name) => [name, "k"]));
  return connect(accessTo(vendor, {}, { ...keys, [vendor.urlVariable]: written, ...environment }), model).url;
}

describe("an address is understood as people write it", () => {
  test.each([
    ["ollama", "http://localhost:11434", "http://localhost:11434/v1/chat/completions"],
    ["ollama", "http://localhost:11434/", "http://localhost:11434/v1/chat/completions"],
    ["ollama", "http://localhost:11434/v1/", "http://localhost:11434/v1/chat/completions"],
    ["ollama", "http://localhost:11434/api", "http://localhost:11434/v1/chat/completions"],
    ["ollama", "http://localhost:11434/api/chat", "http://localhost:11434/v1/chat/completions"],
    ["ollama", "localhost:11434", "http://localhost:11434/v1/chat/completions"],
    ["ollama", "127.0.0.1:11434", "http://127.0.0.1:11434/v1/chat/completions"],
    ["ollama", "[::1]:11434", "http://[::1]:11434/v1/chat/completions"],
    ["ollama", ":11434", "http://localhost:11434/v1/chat/completions"],
    ["ollama", "gpu-box:11434", "http://gpu-box:11434/v1/chat/completions"],
    ["ollama", "localhost", "http://localhost/v1/chat/completions"],
    ["ollama", "https://ollama.com", "https://ollama.com/v1/chat/completions"],
    ["ollama", "https://example.com/ollama/v1", "https://example.com/ollama/v1/chat/completions"],
    ["anthropic", "https://api.anthropic.com", "https://api.anthropic.com/v1/messages"],
    ["anthropic", "https://api.anthropic.com/v1", "https://api.anthropic.com/v1/messages"],
    ["anthropic", "https://api.anthropic.com/v1/messages", "https://api.anthropic.com/v1/messages"],
    ["anthropic", "https://example.com/anthropic//", "https://example.com/anthropic/v1/messages"],
    ["anthropic", "https://example.com/v1/anthropic?tenant=7", "https://example.com/v1/anthropic/v1/messages?tenant=7"],
    ["anthropic", "api.example.com/v1", "https://api.example.com/v1/messages"],
    ["openai", "https://example.com/v1/chat/completions", "https://example.com/v1/chat/completions"],
    ["openai", "https://example.com/v1/chat/completions/?a=b", "https://example.com/v1/chat/completions?a=b"],
    ["openai", "https://example.com/v1", "https://example.com/v1/chat/completions"],
    [
      "openai",
      "https://example.com/openai/deployments/x?api-version=1",
      "https://example.com/openai/deployments/x/chat/completions?api-version=1",
    ],
    ["openai", "192.168.1.7:8000/v1", "http://192.168.1.7:8000/v1/chat/completions"],
    ["openai", "nas.local/v1", "http://nas.local/v1/chat/completions"],
    ["openai", "HTTPS://Example.com/V1", "https://example.com/V1/chat/completions"],
    ["deepseek", "https://api.deepseek.com", "https://api.deepseek.com/chat/completions"],
    ["openai", '"https://example.com/v1"', "https://example.com/v1/chat/completions"],
    ["openai", "https://example.com/v1/models", "https://example.com/v1/chat/completions"],
    ["gemini", "https://example.com/v1beta", "https://example.com/v1beta/openai/chat/completions"],
    ["gemini", "https://example.com/v1beta/models", "https://example.com/v1beta/openai/chat/completions"],
    ["gemini", "https://example.com/v1beta/openai/", "https://example.com/v1beta/openai/chat/completions"],
    [
      "azure",
      "https://x.openai.azure.com/",
      "https://x.openai.azure.com/openai/deployments/m/chat/completions?api-version=2024-02-01",
    ],
    [
      "azure",
      "https://x.openai.azure.com/openai/",
      "https://x.openai.azure.com/openai/deployments/m/chat/completions?api-version=2024-02-01",
    ],
    [
      "azure",
      "https://x.openai.azure.com/openai/v1/",
      "https://x.openai.azure.com/openai/deployments/m/chat/completions?api-version=2024-02-01",
    ],
    [
      "azure",
      "https://x.openai.azure.com/openai/deployments/other/chat/completions?api-version=2024-10-21",
      "https://x.openai.azure.com/openai/deployments/m/chat/completions?api-version=2024-10-21",
    ],
  ])("%s: %s is asked at %s", (vendor, written, url) => {
    expect(askedAt(vendor, written)).toBe(url);
  });

  test("the whole path of an interface says which one is asked, unless a setting does", async () => {
    expect(askedAt("openai", "https://example.com/v1/chat/completions", "gpt-5.4")).toBe(
      "https://example.com/v1/chat/completions",
    );
    expect(askedAt("openai", "https://example.com/v1/responses", "llama3")).toBe("https://example.com/v1/responses");
    expect(askedAt("openai", "https://example.com/v1", "gpt-5.4")).toBe("https://example.com/v1/responses");
    const vendor = vendorNamed("openai");
    if (vendor === undefined) throw new Error("no vendor");
    const settings = { api: { value: "responses", origin: "test" } } as const;
    const written = { OPENAI_API_KEY: "k", OPENAI_BASE_URL: "https://example.com/v1/chat/completions" };
    expect(connect(accessTo(vendor, settings, written), "m").url).toBe("https://example.com/v1/responses");
  });

  test("a version that is set counts more than one in the address of Azure", () => {
    const written = "https://x.openai.azure.com/openai/deployments/other/chat/completions?api-version=2024-10-21";
    expect(askedAt("azure", written, "m", { AZURE_OPENAI_API_VERSION: "2024-06-01" })).toEndWith(
      "?api-version=2024-06-01",
    );
  });

  test.each(["nonsense", "ftp://host", "file:///etc", "//host", "mailto:a@example.com", "/v1"])(
    "%s is none",
    (written) => {
      const environment = { OPENAI_API_KEY: "k", OPENAI_BASE_URL: written };
      expect(openModel("openai/m", { environment })).rejects.toThrow("OPENAI_BASE_URL is not an http");
    },
  );
});
