/** Files by their paths, as people have them in repositories. */
type Files = Readonly<Record<string, string>>;

/** What a linter says of some files, as `path:line:column severity rule`, sorted. */
export type Row = readonly [name: string, files: Files, expected: readonly string[]];

const json = (value: unknown): string => JSON.stringify(value, undefined, 2);

const settings = (value: unknown): Files => ({ ".claude/settings.json": json(value) });

const allow = (...rules: readonly string[]): Files => settings({ permissions: { allow: rules } });

const hooks = (value: unknown): Files => ({
  ".claude-plugin/plugin.json": '{"name": "tea"}',
  "hooks/hooks.json": json(value),
});

const subagent = (...lines: readonly string[]): Files => ({
  ".claude/agents/a.md": `---\nname: brewer\ndescription: Brews tea.\n${lines.map((line) => `${line}\n`).join("")}---\n\nYou brew.\n`,
});

const server = (value: unknown): Files => ({ ".mcp.json": json({ mcpServers: { tea: value } }) });

/** Files as their programs and their documentation have them: nothing is said of them. */
export const GOOD: readonly Row[] = [
  [
    "a subagent",
    subagent("tools: Read, Grep, Bash(git log:*), mcp__tea__brew", "model: claude-opus-4-6", "color: blue"),
    [],
  ],
  [
    "a subagent with all keys",
    subagent("permissionMode: plan", "maxTurns: 5", "memory: project", "background: true", "skills: [tea]"),
    [],
  ],
  ["tools as a list", subagent("tools:", "  - Read", "  - WebFetch"), []],
  ["every tool", subagent('tools: "*"'), []],
  [
    "CRLF and a byte-order mark",
    { ".claude/agents/a.md": "\uFEFF---\r\nname: a\r\ndescription: b\r\n---\r\nGo.\r\n" },
    [],
  ],
  ["a README beside subagents", { ".claude/agents/README.md": "# Our agents\n" }, []],
  ["a command without frontmatter", { ".claude/commands/fix.md": "Fix #$ARGUMENTS.\n" }, []],
  [
    "a command with a hint in brackets, as the documentation shows it",
    {
      ".claude/commands/fix.md":
        "---\nargument-hint: [issue] [priority]\nallowed-tools: Bash(git add:*), Bash(git status:*)\n---\nFix $1.\n",
    },
    [],
  ],
  [
    "tools separated by blanks",
    { ".claude/commands/fix.md": "---\nallowed-tools: Read Bash(git *) Grep\n---\nFix.\n" },
    [],
  ],
  [
    "a skill",
    { "skills/tea/SKILL.md": "---\nname: tea\ndescription: Brews.\nallowed-tools: Read Bash(git:*)\n---\n# Tea\n" },
    [],
  ],
  ["settings", settings({ model: "opus", env: { A: "1" }, unheardOf: true, permissions: { defaultMode: "plan" } }), []],
  [
    "rules",
    allow(
      "Bash",
      "Bash(npm run test:*)",
      "Read(./src/**)",
      "WebFetch(domain:a.b)",
      "mcp__tea",
      "mcp__tea__*",
      "Skill(*)",
    ),
    [],
  ],
  [
    "denials of all tools",
    settings({ permissions: { deny: ["*", "mcp__*", "Bash(rm -rf (all))"], ask: ["mcp__*"] } }),
    [],
  ],
  ["empty settings", { ".claude/settings.json": "" }, []],
  [
    "hooks",
    settings({
      hooks: {
        PreToolUse: [{ matcher: "Bash|mcp__.*", hooks: [{ type: "command", command: "x", timeout: 60 }] }],
        Stop: [{ hooks: [{ type: "prompt", prompt: "Done?" }] }],
      },
    }),
    [],
  ],
  [
    "hooks of a plugin",
    hooks({
      description: "x",
      hooks: { SessionStart: [{ hooks: [{ type: "command", command: "${CLAUDE_PLUGIN_ROOT}/x.sh" }] }] },
    }),
    [],
  ],
  [
    "a hook that looks for its program first",
    {
      ...settings({
        hooks: {
          Stop: [
            { hooks: [{ type: "command", command: '[ -x "$CLAUDE_PROJECT_DIR/.claude/hooks/a.sh" ] && exit 0' }] },
          ],
        },
      }),
      ".claude/hooks/b.sh": "",
    },
    [],
  ],
  ["a server", server({ command: "npx", args: ["-y", "@acme/tea@1.2.3"], env: { KEY: "${KEY}" } }), []],
  ["a server elsewhere", server({ type: "http", url: "https://tea.example/mcp", headers: { A: "b" } }), []],
  ["servers of a plugin without a key around them", { ".mcp.json": json({ tea: { command: "tea" } }) }, []],
  [
    "a plugin",
    {
      ".claude-plugin/plugin.json": json({
        name: "tea",
        version: "1.0.0",
        author: { name: "Ada" },
        commands: ["./commands/a.md"],
      }),
      "commands/a.md": "Go.\n",
    },
    [],
  ],
  [
    "a manifest alone",
    { ".claude-plugin/plugin.json": json({ name: "tea", skills: "./skills/", hooks: "./hooks/hooks.json" }) },
    [],
  ],
  [
    "a marketplace",
    {
      ".claude-plugin/marketplace.json": json({
        name: "shop",
        owner: { name: "Ada" },
        plugins: [{ name: "tea", source: "./tea" }],
      }),
    },
    [],
  ],
  [
    "an agent of opencode",
    {
      ".opencode/agent/a.md":
        "---\ndescription: x\nmode: subagent\ntools:\n  write: false\npermission:\n  bash:\n    git *: allow\n---\nGo.\n",
    },
    [],
  ],
  [
    "settings of opencode with comments",
    { "opencode.jsonc": '{\n  // models\n  "mcp": {"a": {"type": "local", "command": ["a"],},},\n}\n' },
    [],
  ],
  [
    "instructions",
    { "AGENTS.md": "# Rules\n\nUse `@scope/name.md` and me@example.md.\n", "CLAUDE.md": "@AGENTS.md\n" },
    [],
  ],
  ["imports in code", { "CLAUDE.md": "```\n@lost.md\n```\n\n`@lost.md`\n\n@~/mine.md\n" }, []],
  ["a flag of a region", { "AGENTS.md": "\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}\n" }, []],
  ["installed packages", { "node_modules/a/AGENTS.md": "", "src/.git/AGENTS.md": "" }, []],
];

/** Mistakes, each with its place. */
export const BAD: readonly Row[] = [
  [
    "no frontmatter",
    { ".claude/agents/a.md": "You brew tea.\n" },
    [".claude/agents/a.md:1:1 warning frontmatter-missing"],
  ],
  [
    "no end of the frontmatter",
    { ".claude/agents/a.md": "---\nname: a\ndescription: b\n\nGo.\n" },
    [".claude/agents/a.md:1:1 warning frontmatter-missing"],
  ],
  ["an empty subagent", { ".claude/agents/a.md": "\n" }, [".claude/agents/a.md:1:1 warning subagent-prompt"]],
  [
    "no name and no description",
    { ".claude/agents/a.md": "---\nmodel: opus\n---\nGo.\n" },
    [".claude/agents/a.md:2:1 error subagent-description", ".claude/agents/a.md:2:1 error subagent-name"],
  ],
  [
    "no prompt",
    { ".claude/agents/a.md": "---\nname: a\ndescription: b\n---\n" },
    [".claude/agents/a.md:1:1 warning subagent-prompt"],
  ],
  [
    "tools in the wrong case",
    subagent("tools: read, bash"),
    [".claude/agents/a.md:4:1 warning tool-misspelt", ".claude/agents/a.md:4:1 warning tool-misspelt"],
  ],
  ["tools without commas", subagent("tools: Read Write"), [".claude/agents/a.md:4:1 warning tool-misspelt"]],
  ["a misspelt key", subagent("", "permission_mode: plan"), [".claude/agents/a.md:5:1 warning key-misspelt"]],
  ["an unknown mode", subagent("permissionMode: yolo"), [".claude/agents/a.md:4:1 warning subagent-value"]],
  ["turns that are no number", subagent("maxTurns: many"), [".claude/agents/a.md:4:1 warning subagent-value"]],
  [
    "two subagents of one name",
    { ...subagent(), ".claude/agents/b/b.md": "---\nname: brewer\ndescription: x\n---\nGo.\n" },
    [".claude/agents/b/b.md:1:1 warning subagent-name-duplicate"],
  ],
  [
    "a frontmatter that nobody can read",
    { ".claude/agents/a.md": "---\nname: a\ndescription: b: c\n d: [\n---\nGo.\n" },
    [".claude/agents/a.md:3:14 warning frontmatter-yaml"],
  ],
  [
    "an empty command",
    { ".claude/commands/a.md": "---\ndescription: x\n---\n" },
    [".claude/commands/a.md:1:1 warning command-empty"],
  ],
  [
    "a misspelt key of a command",
    { ".claude/commands/a.md": "---\nargument_hint: x\n---\nGo.\n" },
    [".claude/commands/a.md:2:1 warning key-misspelt"],
  ],
  [
    "a description that is a map",
    { ".claude/commands/a.md": "---\ndescription: {a: b}\n---\nGo.\n" },
    [".claude/commands/a.md:2:1 warning command-value"],
  ],
  [
    "a skill without a description",
    { "skills/tea/SKILL.md": "# Tea\n\nBrew.\n" },
    ["skills/tea/SKILL.md:1:1 warning skill-description"],
  ],
  [
    "a skill that is not YAML",
    { "skills/tea/SKILL.md": "---\nname: tea\ndescription: Use when: thirsty\n---\nBrew.\n" },
    ["skills/tea/SKILL.md:3:14 warning skill-frontmatter"],
  ],
  [
    "settings with a comment",
    { ".claude/settings.json": '{\n  // models\n  "model": "opus"\n}\n' },
    [".claude/settings.json:2:3 error json-syntax"],
  ],
  [
    "a comma too many",
    { ".claude/settings.json": '{\n  "env": {},\n}\n' },
    [".claude/settings.json:3:1 error json-syntax"],
  ],
  [
    "a key twice",
    { ".claude/settings.json": '{"env": {},\n "env": {}}\n' },
    [".claude/settings.json:2:2 error json-syntax"],
  ],
  [
    "rules that are no list",
    settings({ permissions: { allow: "Bash" } }),
    [".claude/settings.json:3:14 error settings-value"],
  ],
  [
    "an unknown default mode",
    settings({ permissions: { defaultMode: "allowEdits" } }),
    [".claude/settings.json:3:20 error settings-value"],
  ],
  ["a misspelt setting", settings({ permission: {} }), [".claude/settings.json:2:3 warning key-misspelt"]],
  ["a rule without an end", allow("Bash(rm -rf /)*"), [".claude/settings.json:4:7 error permission-rule"]],
  ["a rule without content", allow("Read()"), [".claude/settings.json:4:7 error permission-rule"]],
  ["`:*` within a rule", allow("Bash(git :* --hard)"), [".claude/settings.json:4:7 error permission-rule"]],
  ["a rule of a tool in the wrong case", allow("bash(git *)"), [".claude/settings.json:4:7 warning tool-misspelt"]],
  [
    "rules that allow too much, and are skipped",
    allow("mcp__*", "Edit:*", "mcp__tea__:*"),
    [4, 5, 6].map((line) => `.claude/settings.json:${line}:7 warning permission-rule-scope`),
  ],
  [
    "a rule of an MCP tool with parentheses",
    allow("mcp__tea__brew(*)"),
    [".claude/settings.json:4:7 warning permission-rule-scope"],
  ],
  [
    "an event in the wrong case",
    settings({ hooks: { preToolUse: [] } }),
    [".claude/settings.json:3:5 warning hook-event"],
  ],
  [
    "hooks without a group around them",
    settings({ hooks: { Stop: [{ type: "command", command: "x" }] } }),
    [".claude/settings.json:4:7 error settings-value"],
  ],
  [
    "a hook without its command",
    settings({ hooks: { Stop: [{ hooks: [{ type: "command" }] }] } }),
    [".claude/settings.json:6:11 error settings-value"],
  ],
  [
    "a pattern that is none",
    hooks({ hooks: { PreToolUse: [{ matcher: "Bash(", hooks: [] }] } }),
    ["hooks/hooks.json:5:20 error hook-shape"],
  ],
  ["hooks of a plugin without `hooks`", hooks({ Stopp: "x" }), ["hooks/hooks.json:1:1 error hook-shape"]],
  [
    "a limit in milliseconds",
    hooks({ hooks: { Stop: [{ hooks: [{ type: "command", command: "x", timeout: 30_000 }] }] } }),
    ["hooks/hooks.json:9:24 warning hook-timeout"],
  ],
  [
    "a program that does not exist",
    {
      ...settings({
        hooks: { Stop: [{ hooks: [{ type: "command", command: "$CLAUDE_PROJECT_DIR/.claude/hooks/a.sh" }] }] },
      }),
      ".claude/hooks/b.sh": "",
    },
    [".claude/settings.json:8:25 warning hook-file"],
  ],
  ["no servers", { ".mcp.json": json({ servers: {} }) }, [".mcp.json:1:1 error mcp-config"]],
  ["a server without an address", server({ type: "http" }), [".mcp.json:3:12 error mcp-config"]],
  ["a server without a command", server({ args: [] }), [".mcp.json:3:12 error mcp-config"]],
  ["arguments that are no list", server({ command: "a", args: "b" }), [".mcp.json:5:15 error mcp-config"]],
  [
    "a key in a file",
    server({ command: "a", env: { API_KEY: "q8Zt3LmP0xVb7RkW2nYd" } }),
    [".mcp.json:6:21 warning literal-key"],
  ],
  [
    "a plugin without a name",
    { ".claude-plugin/plugin.json": "{}" },
    [".claude-plugin/plugin.json:1:1 error plugin-manifest"],
  ],
  [
    "an author as a text",
    { ".claude-plugin/plugin.json": json({ name: "a", author: "Ada" }) },
    [".claude-plugin/plugin.json:3:13 error plugin-manifest"],
  ],
  [
    "a path out of the plugin",
    { ".claude-plugin/plugin.json": json({ name: "a", skills: "../x" }) },
    [".claude-plugin/plugin.json:3:13 error plugin-manifest"],
  ],
  [
    "a path that leads nowhere",
    { ".claude-plugin/plugin.json": json({ name: "a", commands: ["./lost.md"] }), "commands/a.md": "Go.\n" },
    [".claude-plugin/plugin.json:4:5 warning plugin-path"],
  ],
  [
    "parts in the wrong folder",
    { ".claude-plugin/plugin.json": json({ name: "a" }), ".claude-plugin/commands/a.md": "Go.\n" },
    [".claude-plugin/plugin.json:1:1 warning plugin-place"],
  ],
  [
    "a marketplace without an owner",
    { ".claude-plugin/marketplace.json": json({ name: "a", plugins: [] }) },
    [".claude-plugin/marketplace.json:1:1 error marketplace"],
  ],
  [
    "an unknown mode of opencode",
    { ".opencode/agent/a.md": "---\nmode: helper\n---\nGo.\n" },
    [".opencode/agent/a.md:2:1 warning agent-value"],
  ],
  [
    "an unknown permission of opencode",
    { ".opencode/agents/a.md": "---\npermission:\n  bash: maybe\n---\nGo.\n" },
    [".opencode/agents/a.md:2:1 warning agent-value"],
  ],
  [
    "a server of opencode of another type",
    { "opencode.json": '{"mcp": {"a": {"type": "stdio"}}}' },
    ["opencode.json:1:24 error settings-value"],
  ],
  ["empty instructions", { "AGENTS.md": "\n" }, ["AGENTS.md:1:1 warning instructions-empty"]],
  [
    "an import that is lost",
    { "CLAUDE.md": "# Rules\n\nSee @lost.md.\n" },
    ["CLAUDE.md:3:5 warning instructions-import"],
  ],
  ["text that nobody sees", { "AGENTS.md": "Be kind.\u{E0069}\u{E0067}\n" }, ["AGENTS.md:1:9 warning hidden-text"]],
  [
    "text against the direction",
    { "skills/a/SKILL.md": "---\nname: a\ndescription: b\n---\nGo \u202Eback.\n" },
    ["skills/a/SKILL.md:5:4 warning hidden-text"],
  ],
  [
    "an agent directory among them",
    { "bots/tea/agent.mdx": "# Agent: Tea\n", "AGENTS.md": "Go.\n" },
    ["bots/tea/agent.mdx:1:1 error purpose-missing"],
  ],
];

/** What only a strict check says. */
export const NOTED: readonly Row[] = [
  [
    "a value that strict readers refuse",
    { ".claude/commands/a.md": "---\nargument-hint: [a] [b]\n---\nGo.\n" },
    [".claude/commands/a.md:2:20 note frontmatter-quotes"],
  ],
  ["a tool that may be new", subagent("tools: Read, Teleport"), [".claude/agents/a.md:4:1 note tool-unknown"]],
  ["a key that may be new", subagent("flavour: mint"), [".claude/agents/a.md:4:1 note key-unknown"]],
  [
    "a name in another form",
    { ".claude/agents/a.md": "---\nname: Tea Brewer\ndescription: b\n---\nGo.\n" },
    [".claude/agents/a.md:2:1 note subagent-name-form"],
  ],
  [
    "an event that may be new",
    settings({ hooks: { TeaTime: [] } }),
    [".claude/settings.json:3:5 note hook-event-unknown"],
  ],
  [
    "a package without a version",
    server({ command: "npx", args: ["-y", "@acme/tea@latest"] }),
    [".mcp.json:7:9 note mcp-unpinned"],
  ],
  ["long instructions", { "AGENTS.md": "word ".repeat(9_000) }, ["AGENTS.md:1:1 note instructions-length"]],
];
