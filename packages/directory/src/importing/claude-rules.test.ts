import { describe, expect, test } from "bun:test";
import { dirname, join } from "node:path";
import { importAgent } from "@mdx-ai/directory/importing";
import { permissionPattern } from "@mdx-ai/parser";
import { writeFiles } from "../../../../test/support/agent-files.ts";
import { parseAgentMdx } from "../../../../test/support/parse-agent-mdx.ts";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { frontmatter } from "./agent-text.ts";
import { missingTool } from "./counterparts.ts";

const root = "/home/me/work";

/** The patterns that a rule of a project becomes, with the project's folder as `root`; none if it is left out. */
function patternsOf(action: string, rule: string): readonly string[] {
  using home = temporaryDirectory();
  const project = join(home.path, "work");
  writeFiles(project, {
    ".claude/settings.json": JSON.stringify({ permissions: { [action]: [rule] } }),
    ".claude/agents/a.md": "---\nname: a\n---\nText\n",
  });
  const { rules, notes } = importAgent(join(project, ".claude/agents/a.md"));
  const left = notes.filter(({ kind, text }) => kind === "left out" && /^permission \w+ .+: ./.test(text));
  expect(left).toHaveLength(rules.length === 0 ? 1 : 0);
  return rules.map(([pattern]) => pattern.replace(project, root).replace(home.path, dirname(root)));
}

describe("a permission rule", () => {
  test.each([
    ["allow", "Bash", ["bash"]],
    ["allow", "Bash(*)", ["bash"]],
    ["allow", "Bash(npm run build)", ["bash(npm run build)"]],
    ["allow", "Bash(npm run test:*)", ["bash(npm run test *)"]],
    ["allow", "Bash(git * main)", ["bash(git * main)"]],
    ["allow", "Bash(ls a?)", ["bash(ls a\\?)"]],
    ["deny", "Bash(rm:*)", ["bash(rm*)"]],
    ["deny", "Bash(curl *)", ["bash(curl*)"]],
    ["ask", "Bash(git push:*)", ["bash(git push*)"]],
    ["deny", "Read(./.env)", [`read_file(${root}/.env)`, "read_file(.env)"]],
    ["deny", "Read(.env*)", [`read_file(${root}/**/.env*)`, "read_file(**/.env*)"]],
    ["deny", "Read(secrets/**)", [`read_file(${root}/secrets/**)`, "read_file(secrets/**)"]],
    ["deny", "Read(//etc/passwd)", ["read_file(/etc/passwd)"]],
    ["deny", "Read(~/.ssh/**)", ["read_file(~/.ssh/**)"]],
    ["deny", "Read", ["read_file"]],
    ["allow", "Read", [`read_file(${root}/**)`]],
    ["allow", "Read(/src/**)", [`read_file(${root}/src/**)`]],
    ["allow", "Edit(docs/**)", [`write_file(${root}/docs/**)`]],
    ["allow", "Write", [`write_file(${root}/**)`]],
    ["deny", "Edit(*.lock)", [`write_file(${root}/**/*.lock)`, "write_file(**/*.lock)"]],
    ["deny", "MultiEdit", ["write_file"]],
    ["deny", "NotebookEdit", ["write_file"]],
    ["allow", "MultiEdit", [`edit_file(${root}/**)`]],
    ["deny", "Grep", ["grep"]],
    ["allow", "Glob(/src/**)", [`glob(${root}/src/**)`]],
    ["ask", "LS(~/**)", ["list_files(~/**)"]],
    ["deny", "Read(src/[ab].{js,ts})", [`read_file(${root}/src/*.*)`, "read_file(src/*.*)"]],
    ["ask", "Read(../other/**)", ["read_file(/home/me/other/**)"]],
    ["deny", "*", ["*"]],
    ["allow", "WebFetch(domain:example.com)", ["web_fetch(example.com)"]],
    ["deny", "WebFetch(domain:example.com)", ["web_fetch(example.com)", "web_fetch(example.com:*)"]],
    ["deny", "WebFetch(https://example.com/*)", ["web_fetch"]],
  ] as const)("%s %s is kept", (action, rule, patterns) => {
    expect(patternsOf(action, rule)).toEqual([...patterns]);
    for (const pattern of patterns) expect(permissionPattern(pattern)).toBeDefined();
  });

  test.each([
    ["allow", "*"],
    ["allow", "NotebookEdit"],
    ["deny", "Skill"],
    ["allow", "WebFetch(https://example.com/*)"],
    ["allow", "mcp__github__get_issue"],
    ["allow", "Read(src/[ab].ts)"],
    ["deny", "Read(!src/a.ts)"],
    ["allow", "Read(./)"],
    ["deny", "Bash("],
  ] as const)("%s %s is left out with a reason", (action, rule) => {
    expect(patternsOf(action, rule)).toEqual([]);
  });
});

test("denials come after questions, and these after grants, since the last that matches counts here", () => {
  using home = temporaryDirectory();
  const permissions = {
    deny: ["Bash(git push:*)"],
    allow: ["Bash(git:*)"],
    ask: ["Bash(git commit:*)"],
    defaultMode: "plan",
  };
  const settings = { permissions, env: { TOKEN: "s3cret" }, hooks: { Stop: [] }, model: "opus" };
  writeFiles(home.path, {
    ".claude/settings.json": JSON.stringify(settings, null, 2),
    ".claude/settings.local.json": '{"permissions": {"allow": ["Bash"], "deny": ["Read(.env)"]}}',
    ".claude/agents/a.md": "---\nname: a\ndescription: d\n---\nText\n",
  });
  const { rules, notes } = importAgent(join(home.path, ".claude/agents/a.md"));
  expect(rules).toEqual([
    ["bash(git *)", "allow"],
    ["bash(git commit*)", "ask"],
    ["bash(git push*)", "deny"],
    [`read_file(${home.path}/**/.env)`, "deny"],
    ["read_file(**/.env)", "deny"],
  ]);
  const left = notes.filter(({ kind }) => kind === "left out").map(({ line, text }) => `${line} ${text}`);
  expect(left).toEqual([
    "12 permissions.defaultMode",
    "14 env: TOKEN",
    "20 model",
    "1 permission allow Bash: it is a personal grant",
  ]);
  expect(JSON.stringify(notes)).not.toContain("s3cret");
});

test("settings that cannot be read are an error: their denials would be lost", () => {
  using home = temporaryDirectory();
  writeFiles(home.path, { ".claude/settings.json": "{", ".claude/agents/a.md": "---\nname: a\n---\nText\n" });
  expect(() => importAgent(join(home.path, ".claude/agents/a.md"))).toThrow("is not a JSON object");
});

test.each([
  ["Skill", "use read_file instead"],
  ["NotebookEdit", "use write_file and edit_file instead"],
  ["Task", "there is no such tool"],
])("%s has no counterpart: %s", (name, reason) => {
  expect(missingTool(name)).toBe(reason);
});

test("the hooks of the project are translated, those of one person and of other kinds are left out", async () => {
  using home = temporaryDirectory();
  const guard = { type: "command" as const, command: '"$CLAUDE_PROJECT_DIR"/.claude/hooks/guard.sh', timeout: 30 };
  const hooks = {
    PreToolUse: [{ matcher: "Bash|Edit", hooks: [guard, { type: "prompt", prompt: "Is it safe?" }] }],
    PreCompact: [{ hooks: [guard] }],
    Stop: [{ matcher: "", hooks: [{ ...guard, timeout: 60_000 }] }],
  };
  writeFiles(home.path, {
    ".claude/settings.json": JSON.stringify({ hooks }),
    ".claude/settings.local.json": JSON.stringify({ hooks: { Notification: [{ hooks: [guard] }] } }),
  });
  const agent = importAgent(join(home.path, ".claude"));
  const { timeout: _, ...untimed } = guard;
  const expected = { PreToolUse: [{ matcher: "Bash|Edit", hooks: [guard] }], Stop: [{ hooks: [untimed] }] };
  expect(agent.hooks).toEqual(expected);
  const { settings, diagnostics } = await parseAgentMdx(`${frontmatter(agent)}\nText\n`);
  expect(settings.hooks).toEqual(expected);
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  const left = agent.notes.filter(({ kind }) => kind === "left out").map(({ text }) => text);
  expect(left).toEqual([
    "hooks: PreToolUse: a hook of the type prompt has no equivalent",
    "hooks: PreCompact: there is no such event",
    "hooks: Notification: they are personal",
  ]);
});
