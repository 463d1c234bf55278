import { describe, expect, test } from "bun:test";
import { settingsSchema } from "@mdx-ai/parser/settings";
import { agentText } from "../../support/agent-text.ts";
import { placesOf } from "../../support/diagnostic-places.ts";
import { parseAgentMdx } from "../../support/parse-agent-mdx.ts";
import { PLAIN_MESSAGE } from "../../support/plain-message.ts";

const CLOCK = `<Tool name="clock" description="The time">

\`\`\`ts
function execute() { return "now"; }
\`\`\`

</Tool>
`;

const withSettings = (yaml: string): string => `---\n${yaml}\n---\n\n${agentText("")}`;

test("all settings that this version acts on are read", async () => {
  const yaml = `name: A
description: "Does: things"
model: anthropic/claude-x
temperature: 0.5
max_tokens: 1000
thinking: adaptive
reasoning_effort: high
stream: false
retries: 3
timeout: 1.5
offline: false
limits:
  turns: 7
  toolCalls: 0
  tokens: 100000
  usd: 0.5
  seconds: 90
  repeats: 3
  session: {tokens: 5, usd: 1}
  day: {tokens: 6, usd: 2}
context: {messages: 20, compactAt: 0.7, window: 200000}
logs: {days: 30}
permissions: {bash: ask, "bash(git *)": allow, write_file: {allow: ["out/**"], deny: []}}
sandbox: {mode: required, network: [api.example.com, "[::1]:8080"]}
schedule: 1h30m
timezone: Europe/Vienna
skills: {paths: [.agents/skills, ~/skills], catalog: tiers}`;
  const { settings, diagnostics } = await parseAgentMdx(withSettings(yaml));
  expect(diagnostics).toEqual([]);
  expect(settings).toEqual({
    name: "A",
    description: "Does: things",
    model: "anthropic/claude-x",
    temperature: 0.5,
    max_tokens: 1000,
    thinking: "adaptive",
    reasoning_effort: "high",
    stream: false,
    retries: 3,
    timeout: 1.5,
    offline: false,
    limits: {
      turns: 7,
      toolCalls: 0,
      tokens: 100000,
      usd: 0.5,
      seconds: 90,
      repeats: 3,
      session: { tokens: 5, usd: 1 },
      day: { tokens: 6, usd: 2 },
    },
    context: { messages: 20, compactAt: 0.7, window: 200000 },
    logs: { days: 30 },
    permissions: { bash: "ask", "bash(git *)": "allow", write_file: { allow: ["out/**"], deny: [] } },
    sandbox: { mode: "required", network: ["api.example.com", "[::1]:8080"] },
    schedule: "1h30m",
    timezone: "Europe/Vienna",
    skills: { paths: [".agents/skills", "~/skills"], catalog: "tiers" },
  });
});

describe("a setting may be written in other ways", () => {
  const rows: readonly [string, object][] = [
    ["model: [anthropic/claude-x, openai/gpt-x]", { model: ["anthropic/claude-x", "openai/gpt-x"] }],
    ["model:\n  - offline", { model: ["offline"] }],
    ["thinking: off", { thinking: "off" }],
    ["skills: {paths: .claude/skills}", { skills: { paths: [".claude/skills"] } }],
    ["thinking: {budget: 2048}", { thinking: { budget: 2048 } }],
    ["retries: [5, 15, 45]", { retries: [5, 15, 45] }],
    ["retries: 0", { retries: 0 }],
    ["context: {compactAt: off}", { context: { compactAt: "off" } }],
    ["context: {compactAt: 1}", { context: { compactAt: 1 } }],
    ["sandbox: off", { sandbox: "off" }],
    ["sandbox: required", { sandbox: "required" }],
    ["sandbox: {network: all}", { sandbox: { network: "all" } }],
    ["sandbox: {network: []}", { sandbox: { network: [] } }],
    ["sandbox: {}", {}],
    ["permissions: {}", {}],
    ["permissions: {bash: deny}", { permissions: { bash: "deny" } }],
    ["permissions:\n  bash:\n    ask:\n      - rm *", { permissions: { bash: { ask: ["rm *"] } } }],
    ["limits: {}", {}],
    ["limits: {day: {}}", {}],
  ];
  for (const [yaml, expected] of rows) {
    test(yaml, async () => {
      const { settings, diagnostics } = await parseAgentMdx(withSettings(yaml));
      expect(diagnostics).toEqual([]);
      expect(settings).toEqual(expected);
    });
  }
});

for (const yaml of ["", "# only a comment", "\n\n"]) {
  test(`frontmatter that says nothing is all right: ${JSON.stringify(yaml)}`, async () => {
    const { settings, diagnostics } = await parseAgentMdx(withSettings(yaml));
    expect(diagnostics).toEqual([]);
    expect(settings).toEqual({});
  });
}

describe("a mistake is told at its place and left out", () => {
  const rows: readonly [string, string, readonly string[]][] = [
    ["a text for a number", "temperature: warm", ["2:14 setting-type"]],
    ["a number out of bounds", "temperature: 3", ["2:14 setting-type"]],
    ["no number at all", "temperature: .nan", ["2:14 setting-type"]],
    ["a number for a text", "name: 007", ["2:7 setting-type"]],
    ["nothing for a text", "model:", ["2:7 setting-type"]],
    ["a model with spaces", "model: claude the third", ["2:8 setting-type"]],
    ["a fraction of a token", "max_tokens: 1.5", ["2:13 setting-type"]],
    ["a list for a map", "limits: [1]", ["2:9 setting-type"]],
    ["a list without models", "model: []", ["2:8 setting-type"]],
    ["a number in a list of models", "model: [anthropic/x, 5]", ["2:22 setting-type"]],
    ["a list in a list of models", "model:\n  - anthropic/x\n  - [a, b]", ["4:5 setting-type"]],
    ["thinking in a way that there is not", "thinking: hard", ["2:11 setting-type"]],
    ["thinking as a switch", "thinking: false", ["2:11 setting-type"]],
    ["a budget of nothing", "thinking: {budget: 0}", ["2:20 setting-type"]],
    ["a budget that is not told", "thinking: {}", ["2:11 setting-type"]],
    ["an effort of a number", "reasoning_effort: 5", ["2:19 setting-type"]],
    ["streaming in words", "stream: yes", ["2:9 setting-type"]],
    ["eleven repetitions", "retries: 11", ["2:10 setting-type"]],
    ["half a repetition", "retries: 1.5", ["2:10 setting-type"]],
    ["a wait before a repetition below zero", "retries: [5, -1]", ["2:14 setting-type"]],
    ["a list without waits", "retries: []", ["2:10 setting-type"]],
    ["a time-out of nothing", "timeout: 0", ["2:10 setting-type"]],
    ["an endless time-out", "timeout: .inf", ["2:10 setting-type"]],
    ["one repetition of a call", "limits:\n  repeats: 1", ["3:12 setting-type"]],
    ["a limit that costs nothing", "limits: {day: {usd: 0}}", ["2:21 setting-type"]],
    ["a limit of a session that there is not", "limits: {session: {turns: 5}}", ["2:20 setting-unknown"]],
    ["a part of a window below a tenth", "context: {compactAt: 0.05}", ["2:22 setting-type"]],
    ["a switch for a part of a window", "context: {compactAt: false}", ["2:22 setting-type"]],
    ["an unknown setting of the context", "context: {mesages: 5}", ["2:11 setting-unknown"]],
    ["half a day of logs", "logs: {days: 0.5}", ["2:14 setting-type"]],
    ["logs that are not kept at all", "logs: {days: 0}", ["2:14 setting-type"]],
    ["days of logs without a name", "logs: 30", ["2:7 setting-type"]],
    ["an unknown setting of the logs", "logs: {day: 5}", ["2:8 setting-unknown"]],
    ["a prototype", "__proto__: {model: x}", ["2:1 setting-unknown"]],
    ["a prototype of limits", "limits: {__proto__: {turns: 1}}", ["2:10 setting-unknown"]],
    ["a deep mistake", "limits:\n  turns: 0", ["3:10 setting-type"]],
    ["an unknown key", "temprature: 1", ["2:1 setting-unknown"]],
    ["a deep unknown key", "limits:\n  turns: 5\n  turn: 5", ["4:3 setting-unknown"]],
    ["permissions as a list", "permissions: [bash]", ["2:14 setting-type"]],
    ["permissions as an action", "permissions: deny", ["2:14 setting-type"]],
    ["an action that there is not", "permissions: {bash: never}", ["2:21 setting-type"]],
    ["an action of nothing", "permissions:\n  bash:", ["3:8 setting-type"]],
    ["a list of patterns that is none", "permissions: {bash: {allow: git}}", ["2:29 setting-type"]],
    ["a number among patterns", "permissions: {bash: {allow: [git, 5]}}", ["2:35 setting-type"]],
    ["an action in a map that there is not", "permissions: {bash: {never: [git]}}", ["2:22 setting-unknown"]],
    ["a pattern without a tool", 'permissions: {"(git)": allow}', ["2:15 permission-pattern"]],
    ["a blank among patterns", 'permissions: {bash: {deny: [" "]}}', ["2:29 permission-pattern"]],
    ["a key of digits", "permissions: {7: deny}", ["2:15 permission-pattern"]],
    ["a map as a pattern", "permissions: {{a: b}: deny}", ["2:14 permission-pattern"]],
    ["a sandbox that is on", "sandbox: true", ["2:10 setting-type"]],
    ["a sandbox of a mode that there is not", "sandbox: {mode: on}", ["2:17 setting-type"]],
    ["a part of the sandbox that there is not", "sandbox: {files: all}", ["2:11 setting-unknown"]],
    ["a host that is not in a list", "sandbox: {network: a.example}", ["2:20 setting-type"]],
    ["a host that is none", "sandbox: {network: [a.example/b]}", ["2:21 setting-type"]],
    ["a number for a host", "sandbox: {network: [8080]}", ["2:21 setting-type"]],
    ["an interval in words", "schedule: soon", ["2:11 setting-type"]],
    ["an interval of nothing", "schedule: 0s", ["2:11 setting-type"]],
    ["an interval of months", "schedule: 60d", ["2:11 setting-type"]],
    ["a time zone of no place", "timezone: Europe/Wien2", ["2:11 setting-type"]],
    ["a time zone as an offset", "timezone: '+02:00'", ["2:11 setting-type"]],
    ["a list instead of keys", "- a\n- b", ["2:1 frontmatter-syntax"]],
    ["a text instead of keys", "hello", ["2:1 frontmatter-syntax"]],
    ["a colon in a text", "name: A\ndescription: this: that", ["3:14 frontmatter-syntax"]],
    ["a key twice", "name: A\nname: B", ["3:1 frontmatter-syntax"]],
    ["a text that is not closed", 'name: "A', ["2:7 frontmatter-syntax"]],
    ["a tab for indentation", "limits:\n\tturns: 5", ["3:1 frontmatter-syntax"]],
    ["an alias of itself", "context: &a [*a]", ["2:1 frontmatter-syntax"]],
    ["many brackets that are not closed", `limits: ${"{a: ".repeat(50)}`, ["2:209 frontmatter-syntax"]],
    ["what stands after the end of a document", "name: A\n...\nmodel: x", ["4:1 frontmatter-syntax"]],
    ["half of a character", '"\\ud800": 1', ["2:1 frontmatter-syntax"]],
  ];
  for (const [name, yaml, places] of rows) {
    for (const newline of ["\n", "\r\n"]) {
      test(`${name}${newline === "\n" ? "" : ", with CRLF"}`, async () => {
        const { settings, diagnostics } = await parseAgentMdx(withSettings(yaml).replaceAll("\n", newline));
        expect(placesOf(diagnostics)).toEqual(places);
        expect(settings).toEqual(yaml.includes("turns: 5\n") ? { limits: { turns: 5 } } : {});
        for (const { message } of diagnostics) expect(message).toMatch(PLAIN_MESSAGE);
      });
    }
  }

  test("a hint says what was meant", async () => {
    const { diagnostics } = await parseAgentMdx(withSettings("temprature: 1\nname: 5\nstatusbar: ful"));
    expect(diagnostics.map((one) => one.hint)).toEqual([
      "did you mean `temperature`?",
      'put the value in quotes: "5"',
      "did you mean `full`?",
    ]);
  });

  test("a hook without a command says that it needs one", async () => {
    const { diagnostics } = await parseAgentMdx(withSettings("hooks: {Stop: [{hooks: []}]}"));
    expect(diagnostics.map(({ message }) => message)).toEqual([
      expect.stringContaining("expected a list of at least one command"),
    ]);
  });

  test("a hint tells what a setting is for, or how a text is written", async () => {
    const { diagnostics } = await parseAgentMdx(withSettings("retries: [x]\nreasoning_effort: 5\nthinking: 5"));
    expect(diagnostics.map(({ message }) => message)).toEqual([
      "unexpected `x` as `retries`, expected a number of seconds from 0 to 3600",
      "unexpected `5` as `reasoning_effort`, expected a word such as `low`, `medium` or `high`",
      "unexpected `5` as `thinking`, expected `adaptive`, `off` or `{budget: TOKENS}`",
    ]);
    expect(diagnostics.map(({ hint }) => hint)).toEqual([
      expect.stringContaining("How often a failed model call is repeated"),
      'put the value in quotes: "5"',
      expect.stringContaining("How the model thinks"),
    ]);
  });

  test("one mistake does not cost the other settings", async () => {
    const { settings } = await parseAgentMdx(withSettings("name: A\ntemperature: hot\nmax_tokens: 5"));
    expect(settings).toEqual({ name: "A", max_tokens: 5 });
  });

  test("a mistake in a map of limits does not cost the others", async () => {
    const yaml = "limits: {turns: 3, usd: free, session: {tokens: 5, usd: -1}, day: {usd: 1}}\ncontext: {messages: 0}";
    const { settings } = await parseAgentMdx(withSettings(yaml));
    expect(settings).toEqual({ limits: { turns: 3, session: { tokens: 5 }, day: { usd: 1 } } });
  });

  test("an unknown part of a setting does not cost the setting", async () => {
    const { settings } = await parseAgentMdx(withSettings("thinking: {budget: 5, more: 6}"));
    expect(settings).toEqual({ thinking: { budget: 5 } });
  });
});

describe("servers of `mcp`", () => {
  test("have the transport that follows from their command or address", async () => {
    const yaml = [
      "mcp:",
      "  files: {command: npx, args: [-y, server, .], env: {A: '${A}'}, cwd: work, connect: eager, connect_timeout: 90, tools: [read]}",
      "  web: {url: 'https://example.com/mcp', headers: {Authorization: 'Bearer ${TOKEN}'}}",
      "  old: {transport: sse, url: 'http://127.0.0.1:1/sse'}",
      "  playwright: {url: 'tcp://127.0.0.1:8710'}",
      "  elsewhere: {url: '${SERVER}'}",
    ].join("\n");
    const { settings, diagnostics } = await parseAgentMdx(withSettings(yaml));
    expect(diagnostics).toEqual([]);
    expect(settings.mcp).toEqual({
      files: {
        ...{ transport: "stdio", command: "npx", args: ["-y", "server", "."], env: { A: "${A}" } },
        ...{ cwd: "work", connect: "eager", connect_timeout: 90, tools: ["read"] },
      },
      web: { transport: "http", url: "https://example.com/mcp", headers: { Authorization: "Bearer ${TOKEN}" } },
      old: { transport: "sse", url: "http://127.0.0.1:1/sse" },
      playwright: { transport: "tcp", url: "tcp://127.0.0.1:8710" },
      elsewhere: { transport: "http", url: "${SERVER}" },
    });
  });

  const rows: readonly [yaml: string, column: number, rule: string, said: string][] = [
    ["mcp: .mcp.json", 6, "setting-type", "a map of servers"],
    ["mcp: {a: npx}", 10, "setting-type", "a map with the `command` or the `url`"],
    ["mcp: {a: {}}", 7, "mcp-server", "neither a `command` nor a `url`"],
    ["mcp: {a: {command: x, url: 'http://h/'}}", 7, "mcp-server", "both a `command` and a `url`"],
    ["mcp: {a: {comand: x}}", 11, "setting-unknown", "did you mean `command`?"],
    ["mcp: {a: {command: x, args: [1]}}", 30, "setting-type", 'put the value in quotes: "1"'],
    ["mcp: {a: {command: x, transport: htp}}", 34, "setting-type", "did you mean `http`?"],
    ["mcp: {a: {command: x, transport: http}}", 34, "mcp-server", "needs a `url`"],
    ["mcp: {a: {url: 'http://h/', transport: stdio}}", 40, "mcp-server", "needs a `command`"],
    ["mcp: {a: {url: 'ftp://h/'}}", 16, "mcp-server", "https://example.com/mcp"],
    ["mcp: {a: {url: 'tcp://h'}}", 16, "mcp-server", "tcp://127.0.0.1:8710"],
    ["mcp: {a: {url: 'http://h/', args: [x]}}", 29, "mcp-server", "no effect with a `url`"],
    ["mcp: {a: {command: x, headers: {A: b}}}", 23, "mcp-server", "no effect with a `command`"],
    ["mcp: {a.b: {command: x}}", 7, "mcp-server", "letters, digits"],
    ["mcp: {__proto__: {command: x}}", 7, "mcp-server", "letters, digits"],
  ];
  for (const [yaml, column, rule, said] of rows) {
    test(yaml, async () => {
      const { settings, diagnostics } = await parseAgentMdx(withSettings(yaml));
      expect(diagnostics).toMatchObject([{ line: 2, column, severity: "error", rule }]);
      expect(`${diagnostics[0]?.message} ${diagnostics[0]?.hint}`).toContain(said);
      expect(Object.keys(settings.mcp ?? {})).toEqual([]);
    });
  }
});

describe("a setting without effect yet is an error", () => {
  const rows: readonly [yaml: string, column: number, rule: string][] = [
    ["triggers: [tea]", 1, "setting-not-supported"],
    ["skills: true", 9, "setting-type"],
    ["triggers: 1.5", 11, "setting-type"],
    ["memory: [a]", 9, "setting-type"],
  ];
  for (const [yaml, column, rule] of rows) {
    test(yaml, async () => {
      const { settings, diagnostics } = await parseAgentMdx(withSettings(yaml));
      expect(diagnostics).toMatchObject([{ line: 2, column, severity: "error", rule }]);
      expect(settings).toEqual({});
    });
  }
});

describe("the tools that an agent has are read in all forms in use", () => {
  const rows: readonly [yaml: string, settings: object][] = [
    ["builtins: read_file, write_file", { builtins: ["read_file", "write_file"] }],
    ["builtins: [read_file]", { builtins: ["read_file"] }],
    ["builtins: off", { builtins: [] }],
    ["builtins: []", { builtins: [] }],
    ['builtins: "*"', {}],
    ["tools: Read, Bash", { tools: ["read_file", "bash"] }],
    ["tools: [Read, read_file, clock]", { tools: ["read_file", "clock"] }],
    ['tools: ["*"]', {}],
    ["tools:\n  - clock", { tools: ["clock"] }],
  ];
  for (const [yaml, expected] of rows) {
    test(yaml, async () => {
      const { settings, diagnostics } = await parseAgentMdx(`${withSettings(yaml)}\n${CLOCK}`);
      expect([settings, diagnostics]).toEqual([expected, []]);
    });
  }
});

describe("a tool that the agent does not have is an error where tools are restricted", () => {
  const rows: readonly [yaml: string, column: number, hint: string][] = [
    ["tools: Read, Task", 8, "remove it"],
    ["tools: [read_file, clok]", 20, "did you mean `clock`?"],
    ["builtins: [weather]", 12, "remove it"],
    ["builtins: [codng]", 12, "did you mean `coding`?"],
    ["builtins: [bsh]", 12, "did you mean `bash`?"],
    ["tools: Bash(git log, git diff)", 8, "write `bash` here and the commands or paths in `permissions`"],
  ];
  for (const [yaml, column, hint] of rows) {
    test(yaml, async () => {
      const { diagnostics } = await parseAgentMdx(`${withSettings(yaml)}\n${CLOCK}`);
      expect(diagnostics).toMatchObject([{ line: 2, column, severity: "error", rule: "setting-tool" }]);
      expect(diagnostics[0]?.hint).toContain(hint);
    });
  }

  test("unless a module may bring it", async () => {
    const { settings, diagnostics } = await parseAgentMdx(withSettings("tools: [mail]"), { hasModules: true });
    expect([settings, diagnostics]).toEqual([{ tools: ["mail"] }, []]);
  });
});

describe("a mistake in what keeps something from happening is an error", () => {
  const rows = [
    "permission: {bash: deny}",
    "permissions: {bash: {dney: [x]}}",
    "sandbx: required",
    "sandbox: {mod: off}",
    "tool: [bash]",
    "builtin: [bash]",
    "allowed-tools: Read",
    "disallowedTools: Bash",
    "permissionMode: plan",
  ];
  for (const yaml of rows) {
    test(yaml, async () => {
      const { diagnostics } = await parseAgentMdx(withSettings(yaml));
      expect(diagnostics).toMatchObject([{ severity: "error", rule: "setting-unknown" }]);
    });
  }
});

describe("what YAML makes of an answer is told with the word to write", () => {
  const rows: readonly [string, string][] = [
    ["sandbox: false", "write `off`"],
    ["sandbox: no", "write `off`"],
    ["sandbox: true", "write `required`, or `auto` if it may also run without a sandbox"],
    ["permissions: {bash: true}", "`allow` runs the call"],
  ];
  for (const [yaml, hint] of rows) {
    test(yaml, async () => {
      const { diagnostics } = await parseAgentMdx(withSettings(yaml));
      expect(diagnostics[0]?.hint).toContain(hint);
    });
  }
});

describe("a tool of `permissions` that this agent does not have is warned of", () => {
  const yaml = "permissions: {bsh: deny, read_file: allow}";

  test("with the name that was likely meant", async () => {
    const { diagnostics } = await parseAgentMdx(withSettings(yaml));
    expect(diagnostics).toMatchObject([
      { line: 2, column: 15, severity: "warning", rule: "permission-tool", hint: "did you mean `bash`?" },
    ]);
  });

  const quiet: readonly [string, string, boolean][] = [
    ["not where modules may bring it", yaml, true],
    ["not where a server may bring it", `mcp: {}\n${yaml}`, false],
    ["not where a wildcard stands in its name", 'permissions: {"b*": deny, "*(x)": ask}', false],
  ];
  for (const [name, text, hasModules] of quiet) {
    test(name, async () => {
      const { diagnostics } = await parseAgentMdx(withSettings(text), { hasModules });
      expect(diagnostics.filter(({ rule }) => rule === "permission-tool")).toStrictEqual([]);
    });
  }
});

test("the published schema is JSON and describes every setting", () => {
  expect(JSON.parse(JSON.stringify(settingsSchema))).toEqual(settingsSchema);
  expect(settingsSchema).toMatchObject({ type: "object", additionalProperties: false });
  const descriptions = Object.values(settingsSchema["properties"] ?? {}).map((schema) => schema.description);
  expect(descriptions.length).toBeGreaterThan(15);
  for (const description of descriptions) expect(description).toMatch(/\.$/);
});
