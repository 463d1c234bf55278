import { describe, expect, test } from "bun:test";
import { writeFiles } from "../support/agent-files.ts";
import { failureReply, textReply } from "../support/anthropic-replies.ts";
import { type AnthropicServer, anthropicServer } from "../support/anthropic-server.ts";
import { requireProgram } from "../support/require-program.ts";
import type { CliOptions, CliResult } from "../support/run-cli.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const agent = (frontmatter: string): string =>
  `---\n${frontmatter}\n---\n\n# Agent: Tuned\n\n## Purpose\n\nBe tested.\n`;

interface Run extends Partial<CliOptions> {
  readonly args?: readonly string[];
  readonly frontmatter?: string;
  readonly files?: Readonly<Record<string, string>>;
}

async function prompt({ args = [], frontmatter = "", files = {}, ...options }: Run): Promise<CliResult> {
  using home = temporaryDirectory();
  writeFiles(home.path, { "agent/agent.mdx": agent(frontmatter), ...files });
  return await runCommandLine(["agent", "agent", "--trust", "--prompt", "hi", ...args], {
    home: home.path,
    ...options,
  });
}

const body = (server: AnthropicServer, at = 0): unknown => server.requests[at]?.body;

describe("a model is asked as it is configured", () => {
  const rows: readonly [string, Run, Record<string, unknown>][] = [
    [
      "by vendor and model of the environment",
      { environment: { LLM_VENDOR: "anthropic", LLM_MODEL: "claude-x" } },
      { model: "claude-x" },
    ],
    [
      "by a file of YAML",
      { args: ["--config", "c.yaml"], files: { "c.yaml": "model: anthropic/x\nmax_tokens: 77\ntemperature: 0.3\n" } },
      { model: "x", max_tokens: 77, temperature: 0.3 },
    ],
    [
      "by a file of JSON",
      {
        args: ["--config=c.json"],
        files: { "c.json": '{"vendor": "anthropic", "model": "claude-x", "max_tokens": 77}' },
      },
      { model: "claude-x", max_tokens: 77 },
    ],
    [
      "by the frontmatter",
      { frontmatter: "model: claude-x\nmax_tokens: 78\nstream: false" },
      { model: "claude-x", max_tokens: 78 },
    ],
    [
      "by an inline configuration before all but flags",
      {
        args: ["--max-tokens", "80", "--config", "c.yaml"],
        files: { "c.yaml": "model: claude-file\nmax_tokens: 77\n" },
        frontmatter: "model: claude-author\nmax_tokens: 78",
        environment: {
          LLM_PROVIDER_CONFIG: '{"model": "claude-inline", "max_tokens": 79}',
          LLM_MODEL: "claude-variable",
        },
      },
      { model: "claude-inline", max_tokens: 80 },
    ],
    [
      "by a file of variables",
      { args: ["--env-file", "my.env"], files: { "my.env": "LLM_VENDOR=anthropic\nLLM_MODEL=claude-x\n" } },
      { model: "claude-x" },
    ],
    [
      "with thinking by a flag",
      { args: ["--model", "claude-x", "--thinking", "2048", "--max-tokens", "4096"] },
      { thinking: { type: "enabled", budget_tokens: 2048 } },
    ],
  ];
  test.each(rows)("%s", async (_title, run, expected) => {
    using server = anthropicServer(textReply("Hello."));
    const environment = { ...server.environment, ...run.environment };
    const result = await prompt({ ...run, environment });
    expect(result).toMatchObject({ exitCode: 0, stdout: "Hello.\n" });
    expect(body(server)).toMatchObject(expected);
  });

  test("by a key and an address of a file, which show nowhere", async () => {
    using server = anthropicServer(textReply("Hello."));
    const address = server.environment.ANTHROPIC_BASE_URL;
    const files = { "c.yaml": `vendor: anthropic\nmodel: claude-x\napi_key: sk-from-file\nbase_url: ${address}\n` };
    const result = await prompt({ args: ["--config", "c.yaml", "--debug"], files });
    expect(result).toMatchObject({ exitCode: 0, stdout: "Hello.\n" });
    expect(server.requests[0]?.headers.get("authorization")).toBe("Bearer sk-from-file");
    expect(result.stdout + result.stderr).not.toContain("sk-from-file");
  });

  test("never at an address or with a key that an author writes", async () => {
    using server = anthropicServer(textReply("Hello."));
    using thief = anthropicServer(textReply("Got you."));
    const frontmatter = `model: claude-x\nvendor: anthropic\napi_key: x\nbase_url: ${thief.environment.ANTHROPIC_BASE_URL}`;
    const result = await prompt({ frontmatter, environment: server.environment });
    expect(result.stdout).toBe("Hello.\n");
    expect(result.stderr).toContain("setting-unknown");
    expect(thief.requests).toEqual([]);
    expect(server.requests[0]?.headers.get("authorization")).toBe(`Bearer ${server.environment.ANTHROPIC_API_KEY}`);
  });

  test("as often as it is configured, and no more", async () => {
    using server = anthropicServer(
      ...Array.from({ length: 5 }, () => failureReply(529, "overloaded_error", { headers: { "retry-after": "0" } })),
    );
    const never = await prompt({ args: ["--model", "claude-x", "--retries", "0"], environment: server.environment });
    expect(never.exitCode).toBe(1);
    expect(server.requests).toHaveLength(1);
    const frontmatter = "model: claude-x\nretries: [0, 0]";
    expect((await prompt({ frontmatter, environment: server.environment })).exitCode).toBe(1);
    expect(server.requests).toHaveLength(4);
  });

  test("until it is silent for too long", async () => {
    using server = anthropicServer({ events: [], end: "hang" });
    const args = ["--model", "claude-x", "--timeout", "0.3", "--retries", "0"];
    const result = await prompt({ args, environment: server.environment });
    expect(result.exitCode).toBe(1);
    expect(result.stderr).toContain("0.3");
  });
});

describe("a list of models", () => {
  test("skips one whose key is not set, and says so", async () => {
    using server = anthropicServer(textReply("Hello."));
    const result = await prompt({ args: ["--model", "openai/gpt-x,claude-x"], environment: server.environment });
    expect(result).toMatchObject({ exitCode: 0, stdout: "Hello.\n" });
    expect(result.stderr).toContain("openai/gpt-x is left out: OPENAI_API_KEY is not set");
  });

  test("falls back to the next if one is unavailable, and says so", async () => {
    using server = anthropicServer(failureReply(404, "not_found_error"), textReply("Hello."));
    const frontmatter = "model: [claude-gone, claude-x]\nretries: 0";
    const result = await prompt({ frontmatter, environment: server.environment });
    expect(result).toMatchObject({ exitCode: 0, stdout: "Hello.\n" });
    expect(result.stderr).toContain("claude-x");
    expect(body(server, 1)).toMatchObject({ model: "claude-x" });
  });
});

describe("an impossible configuration is reported in a line", () => {
  const rows: readonly [string, Run, number, string][] = [
    [
      "a field that there is not",
      { args: ["--config", "c.yaml"], files: { "c.yaml": "model: x\napikey: sk-secret" } },
      2,
      "c.yaml:2:1: unexpected field",
    ],
    [
      "a wrong type",
      { environment: { LLM_PROVIDER_CONFIG: '{"temperature": "hot", "api_key": "sk-secret"}' } },
      2,
      "LLM_PROVIDER_CONFIG: unexpected",
    ],
    [
      "a broken text",
      { environment: { LLM_PROVIDER_CONFIG: '{"api_key": "sk-secret' } },
      2,
      "LLM_PROVIDER_CONFIG: expected a JSON object",
    ],
    ["a file that is not there", { args: ["--config", "no.yaml"] }, 2, "no.yaml: cannot read the file"],
    ["LangChain", { environment: { LLM_VENDOR: "langchain" } }, 2, "ai-sdk:"],
    ["a missing key", { environment: { LLM_VENDOR: "mistral", LLM_MODEL: "x" } }, 1, "MISTRAL_API_KEY is not set"],
    ["no model, where a flag forbids the offline one", { args: ["--no-offline"] }, 1, "no model is configured"],
    [
      "no model, where the author forbids the offline one",
      { frontmatter: "offline: false" },
      1,
      "no model is configured",
    ],
  ];
  test.each(rows)("%s", async (_title, run, exitCode, says) => {
    const result = await prompt(run);
    expect(result).toMatchObject({ exitCode, stdout: "" });
    expect(result.stderr).toContain(says);
    expect(result.stderr).toMatch(/^mdx-ai: [^\n]*\n$/);
    expect(result.stderr).not.toContain("sk-secret");
  });
});

test.skipIf(requireProgram("bwrap")).each(["tool", "inspect"])(
  "mdx-ai %s asks no model and needs no configuration",
  async (command) => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "agent/agent.mdx": agent("model: azure/x\noffline: false") });
    const args = command === "tool" ? ["tool", "agent", "bash", "command=echo hi"] : ["inspect", "agent"];
    const environment = { LLM_VENDOR: "langchain", LLM_PROVIDER_CONFIG: "{" };
    expect(await runCommandLine([...args, "--trust"], { home: home.path, environment })).toMatchObject({
      exitCode: 0,
      stderr: "",
    });
  },
);
