import { describe, expect, test } from "bun:test";
import { type AgentSettings, readUserSettings } from "@mdx-ai/parser";
import { parseAgentMdx } from "../../support/parse-agent-mdx.ts";

const withSettings = (yaml: string): string => `---\n${yaml}\n---\n# Agent: Anna\n\n## Purpose\n\nHelps.\n`;

describe("the setting memory", () => {
  const settings: readonly [yaml: string, memory: AgentSettings["memory"]][] = [
    ["memory: on", {}],
    ["memory: off", "off"],
    ["memory: {vault: home, memory: talks}", { vault: "home", memory: "talks" }],
    [
      "memory: {store: embedded, model: anthropic/claude-haiku-4-5}",
      { store: "embedded", model: "anthropic/claude-haiku-4-5" },
    ],
    ["memory: {embeddings: ollama/nomic-embed-text}", { embeddings: "ollama/nomic-embed-text" }],
    [
      "memory: {store: {command: mycelian-mcp-server, args: [--stdio]}}",
      { store: { transport: "stdio", command: "mycelian-mcp-server", args: ["--stdio"] } },
    ],
    [
      "memory: {store: {url: 'http://127.0.0.1:11546/mcp'}}",
      { store: { transport: "http", url: "http://127.0.0.1:11546/mcp" } },
    ],
  ];

  test.each(settings)("%j is read", async (yaml, memory) => {
    const { settings: read, diagnostics } = await parseAgentMdx(withSettings(yaml));
    expect(diagnostics).toStrictEqual([]);
    expect(read.memory).toStrictEqual(memory);
  });

  const mistakes: readonly [yaml: string, column: number, rule: string, said: string][] = [
    ["memory: maybe", 9, "setting-type", "expected `on`, `off`, or a map"],
    ["memory: true", 9, "setting-type", "expected `on`, `off`, or a map"],
    ["memory: {}", 9, "setting-type", "expected `on`, `off`, or a map"],
    ["memory: {embeddings: 5}", 22, "setting-type", "expected an embedding model such as"],
    ["memory: {vault: 5}", 17, "setting-type", "expected the id or the title of a vault"],
    ["memory: {valt: home}", 10, "setting-unknown", "unexpected setting `memory.valt`"],
    ["memory: {store: sqlite}", 17, "setting-type", "expected `embedded`, or a map"],
    ["memory: {store: {cmd: x}}", 18, "setting-unknown", "unexpected setting `memory.store.cmd`"],
    ["memory: {store: {args: [x]}}", 10, "mcp-server", "neither a `command` nor a `url`"],
    ["memory: {store: {command: x, headers: {A: b}}}", 30, "mcp-server", "has no effect with a `command`"],
  ];

  test.each(mistakes)("%j is refused at its place", async (yaml, column, rule, said) => {
    const { settings: read, diagnostics } = await parseAgentMdx(withSettings(yaml));
    expect(diagnostics.map((one) => [one.rule, one.line, one.column, one.severity])).toStrictEqual([
      [rule, 2, column, "error"],
    ]);
    expect(diagnostics[0]?.message).toContain(said);
    expect(read.memory).toBeUndefined();
  });

  test("users switch it on or off for all agents, and say nothing more", async () => {
    expect((await readUserSettings("memory: off")).settings).toStrictEqual({ memory: "off" });
    expect((await readUserSettings("memory: on")).settings).toStrictEqual({ memory: "on" });
    const { settings: read, problems } = await readUserSettings("memory: {vault: home}");
    expect(problems).toHaveLength(1);
    expect(read.memory).toBeUndefined();
  });
});
