import { describe, expect, test } from "bun:test";
import { type SkillEntrypoint, skillText, splitSkill } from "@mdx-ai/parser";
import { parseSkill } from "@mdx-ai/parser/parse";

const shell = `---
name: Shell
version: 1.0.0
description: Execute arbitrary shell commands on the local machine.
tags: [shell, local, system]
tool_tags: run, execute
enabled_by_default: false
---

Think before you run something.

## Permissions
- shell

## Tools

### run_bash
description: Run a shell command: its output is returned.
entrypoint: bash:{command}
schema:
  type: object
  properties:
    command:
      type: string
  required: [command]

### \`fetch\`
\`\`\`yaml
description: Fetches a page.
entrypoint: http:get https://example.org/page
schema: {properties: {}}
\`\`\`

## Notes

Not a tool.
`;

const parsed = (text: string, file = "skills/shell/SKILL.MD") => parseSkill(text, file);
const bodyOf = (text: string): string => splitSkill(text).body;

test("a structured skill has its settings and tools", () => {
  const { definition: skill, diagnostics } = parsed(shell);
  expect(diagnostics.filter(({ severity }) => severity !== "note")).toStrictEqual([]);
  expect(skill).toStrictEqual({
    name: "Shell",
    description: "Execute arbitrary shell commands on the local machine.",
    path: "skills/shell/SKILL.MD",
    version: "1.0.0",
    tags: ["shell", "local", "system"],
    toolTags: ["run", "execute"],
    enabledByDefault: false,
    permissions: ["shell"],
    tools: [
      {
        name: "run_bash",
        description: "Run a shell command: its output is returned.",
        entrypoint: { scheme: "bash", target: "{command}" },
        schema: { type: "object", properties: { command: { type: "string" } }, required: ["command"] },
        position: { line: 17, column: 1 },
      },
      {
        name: "fetch",
        description: "Fetches a page.",
        entrypoint: { scheme: "http:get", target: "https://example.org/page" },
        schema: { type: "object", properties: {} },
        position: { line: 27, column: 1 },
      },
    ],
  });
});

describe("the text that a model receives", () => {
  const prose = "Follow me.\n\n## Tools\n\n### Hammer\n\nHits nails.";
  const fenced = "Write:\n\n```\n## Tools\n### x\nschema: {}\n```\n\nDone.";
  const rows: readonly [name: string, body: string, alwaysInject: boolean, expected: string][] = [
    [
      "of a knowledge skill is its whole body",
      "# SSH\n\n## Permissions\n\nMind them.",
      false,
      "# SSH\n\n## Permissions\n\nMind them.",
    ],
    ["of a structured skill is empty", bodyOf(shell), false, ""],
    [
      "of one that is always sent is the prose before its tools",
      bodyOf(shell),
      true,
      "Think before you run something.",
    ],
    ["of a skill whose tools are prose is its whole body", prose, false, prose],
    ["of a skill that shows tools in a code block is its whole body", fenced, false, fenced],
    ["of a skill in CRLF ends before its tools", "Hi.\r\n\r\n## tools\r\n\r\n### a\r\nschema: {}\r\n", true, "Hi."],
  ];
  for (const [name, body, alwaysInject, expected] of rows) {
    test(`the text ${name}`, () => expect(skillText(body, alwaysInject)).toBe(expected));
  }
});

describe("settings are read as people write them", () => {
  const rows: readonly [frontmatter: string, expected: object][] = [
    ["triggers: ssh, remote server", { triggers: ["ssh", "remote server"], text: "Body." }],
    ["triggers: [ssh, 22]", { triggers: ["ssh", "22"], text: "Body." }],
    ["always-inject: yes", { alwaysInject: true, text: "Body." }],
    ["enabled_by_default: true", {}],
    ["disable_model_invocation: true", { disableModelInvocation: true }],
    ["version: 2", { version: "2" }],
    ["proto: weather.proto", {}],
    ["license: Use: it\ntriggers:\n  - ssh\n  - remote: server", { triggers: ["ssh"], text: "Body." }],
    ["license: Use: it\ntriggers:\n  - ssh\n  - telnet", { triggers: ["ssh", "telnet"], text: "Body." }],
    [
      "mcp_server: {command: python, args: [server.py], env: {PORT: 80}}",
      { mcpServer: { transport: "stdio", command: "python", args: ["server.py"], env: { PORT: "80" } } },
    ],
    [
      "license: Use: it\nmcp_server:\n  transport: sse\n  url: http://localhost:8080/sse",
      { mcpServer: { transport: "sse", url: "http://localhost:8080/sse" } },
    ],
    ["mcp_server: {url: 'tcp://127.0.0.1:8710'}", { mcpServer: { transport: "tcp", url: "tcp://127.0.0.1:8710" } }],
    ["mcp_server: {url: 'ftp://x'}", {}],
    ["mcp_server: {command: x, url: 'http://x'}", {}],
    ["mcp_server: x", {}],
  ];
  for (const [frontmatter, expected] of rows) {
    test(`settings are read: ${frontmatter}`, () => {
      const { definition: skill } = parsed(
        `---\nname: tea\ndescription: d\n${frontmatter}\n---\nBody.`,
        "skills/tea/SKILL.md",
      );
      expect(skill).toStrictEqual({ name: "tea", description: "d", path: "skills/tea/SKILL.md", ...expected });
    });
  }
});

describe("an entrypoint has a scheme and a target", () => {
  const rows: readonly [written: string, scheme: SkillEntrypoint["scheme"], target: string][] = [
    ["bash:cat {path}", "bash", "cat {path}"],
    ["http:post https://a.example/b", "http:post", "https://a.example/b"],
    ["http:get: https://a.example/b", "http:get", "https://a.example/b"],
    ["python:tools.weather", "python", "tools.weather"],
    ["grpc:weather.Service/Get", "grpc", "weather.Service/Get"],
    ["container:alpine:3", "container", "alpine:3"],
    ["ftp:host", "unknown", "ftp:host"],
    ["http:put https://a.example", "unknown", "http:put https://a.example"],
    ['bash:echo "a: b"', "bash", 'echo "a: b"'],
  ];
  for (const [written, scheme, target] of rows) {
    test(`an entrypoint is read: ${written}`, () => {
      const { definition: skill } = parsed(
        `---\ndescription: d\n---\n## Tools\n### t\ndescription: d\nentrypoint: ${written}\nschema: {}\n`,
      );
      expect(skill?.tools?.[0]?.entrypoint).toStrictEqual({ scheme, target });
    });
  }
});
