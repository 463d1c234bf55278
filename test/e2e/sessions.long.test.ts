import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, statSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import type { AssistantMessage, Message } from "@mdx-ai/models";
import { MINIMAL_AGENT, writeFiles, writeText } from "../support/agent-files.ts";
import { assistantMessage, toolResult, userMessage } from "../support/model-request.ts";
import { beginOf } from "../support/prompt-steps.ts";
import { scriptReference } from "../support/replies.ts";
import type { CliResult } from "../support/run-cli.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { TerminalRun } from "../support/terminal-run.ts";

const usage = { input: 1000, output: 234, cacheRead: 0, cacheWrite: 0, thinking: 0, total: 1234 };
const HOSTILE = `\u001b]0;owned\u0007\u001b[2J</p><script>alert("1")</script>\n\`\`\`\n# You & 'me'\u202e`;

const call: AssistantMessage = assistantMessage(
  [
    { type: "thinking", thinking: `thinking ${HOSTILE}` },
    { type: "text", text: `says ${HOSTILE}` },
    { type: "toolCall", id: "a", name: "look", arguments: { at: HOSTILE } },
  ],
  { usage, cost: 0.5, stopReason: "toolUse" },
);
const result = toolResult("a", Array.from({ length: 30 }, (_, at) => `line ${at} ${HOSTILE}`).join("\n"), {
  toolName: `look\u001b[31m<b>`,
  isError: true,
});
const image = { type: "image", mimeType: "image/png", data: "aGk=" } as const;
const linkedImage = { type: "image", mimeType: 'x" onerror="', data: "javascript:" } as const;
const MESSAGES: readonly Message[] = [
  { ...userMessage(`asks ${HOSTILE}`), content: [{ type: "text", text: `asks ${HOSTILE}` }, image, linkedImage] },
  call,
  result,
  assistantMessage([{ type: "text", text: "half" }], { stopReason: "error", errorMessage: `broken ${HOSTILE}` }),
];
const STEPS = ["begin", "model:1", "tool:1:a", "model:2"];

const journal = (messages: readonly Message[]): string =>
  [...messages.map((message, at) => [STEPS[at], message] as const), ["end", { outcome: "done", at: 0 }] as const]
    .map(([step, result]) => ({ step, result: "role" in result && result.role === "user" ? beginOf(result) : result }))
    .map((line) => `${JSON.stringify({ v: 1, prompt: 1, ...line })}\n`)
    .join("");

/** Runs `mdx-ai sessions agent …` beside the agent. */
async function sessions(args: readonly string[], home: string, environment = {}): Promise<CliResult> {
  return await runCommandLine(["sessions", "agent", ...args], { home, environment: { TZ: "UTC", ...environment } });
}

/** Writes an agent with sessions, all last used as the year 2000 began. */
function writeAgent(home: string, journals: Readonly<Record<string, string>> = {}): void {
  writeFiles(home, { "agent/agent.mdx": MINIMAL_AGENT });
  for (const [id, text] of Object.entries(journals)) {
    const path = join(home, `agent/sessions/${id}/journal.jsonl`);
    writeText(path, text);
    utimesSync(path, 946_684_800, 946_684_800);
  }
}

const TALK = journal([
  userMessage("What is this?"),
  assistantMessage([{ type: "text", text: "A test." }], { usage, cost: 0.5 }),
]);
/** What a terminal would act upon. */
const ACTS = /(?!\n)\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u;

describe("mdx-ai sessions", () => {
  test("lists what was said, with figures, and damaged sessions with the reason", async () => {
    using home = temporaryDirectory();
    writeAgent(home.path, { main: TALK, worn: `${TALK}garbage\n`, bad: '{"v":3}\n' });
    symlinkSync(join(home.path, "agent/sessions/main"), join(home.path, "agent/sessions/linked"));
    const { exitCode, stdout, stderr } = await sessions([], home.path);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^id +last used +turns +tokens +cost +title\n/);
    expect(stdout).toMatch(/^main +2000-01-01 00:00 +1 +1,234 +\$0\.50 +What is this\?$/m);
    expect(stdout).toMatch(/^worn .*What is this\? \(1 damaged line: see verify\)$/m);
    expect(stdout).toMatch(/^bad: damaged: .*journal\.jsonl:1 was written by a newer version of mdx-ai/m);
    expect(stderr).toMatch(/linked is a symbolic link, which is not followed/);
  });

  test("lists them as JSON", async () => {
    using home = temporaryDirectory();
    writeAgent(home.path, { main: TALK, bad: '{"v":3}\n' });
    writeFiles(home.path, { "agent/sessions/main/skills.json": '{"enabled": ["Shell"], "disabled": []}' });
    const { exitCode, stdout, stderr } = await sessions(["--json"], home.path, { USER: "ada" });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(JSON.parse(stdout)).toStrictEqual({
      sessions: [
        {
          state: "readable",
          id: "main",
          title: "What is this?",
          prompts: 1,
          turns: 1,
          tokens: 1234,
          isUnfinished: false,
          user_id: "ada",
          enabled_skills: ["Shell"],
          disabled_skills: [],
          usage,
          usd: 0.5,
          unpriced: 0,
          created_at: "1970-01-01T00:00:00.000Z",
          updated_at: "2000-01-01T00:00:00.000Z",
        },
        { state: "damaged", id: "bad", damage: expect.stringContaining("journal.jsonl:1") },
      ],
      skipped: [],
    });
  });

  test("shows, renames and deletes what an agent has recorded", async () => {
    using home = temporaryDirectory();
    writeAgent(home.path);
    const model = scriptReference(home.path, [{ text: "Hello, Ada." }]);
    await runCommandLine(["agent", "agent", "--trust", "--prompt", "I am Ada", "--model", model], { home: home.path });
    expect(await sessions(["rename", "main", "ada"], home.path)).toMatchObject({ exitCode: 0, stderr: "" });
    const shown = await sessions(["show", "ada"], home.path);
    expect(shown).toMatchObject({ exitCode: 0, stderr: "" });
    expect(shown.stdout).toMatch(
      /^Session ada\n1 prompt, 1 turn.*\n\nYou \S+\n {2}I am Ada\n\n\S+ \S+\n {2}Hello, Ada\.\n$/,
    );
    expect(await sessions(["delete", "ada", "--yes"], home.path)).toMatchObject({
      exitCode: 0,
      stdout: "Deleted: ada\n",
    });
    expect(existsSync(join(home.path, "agent/sessions/ada"))).toBe(false);
    expect(await sessions([], home.path)).toMatchObject({
      exitCode: 0,
      stdout: "",
      stderr: "There is no session yet.\n",
    });
  });

  test("shows texts of models and tools without what a terminal acts upon, and long results in part", async () => {
    using home = temporaryDirectory();
    writeAgent(home.path, { main: journal(MESSAGES) });
    const list = await sessions([], home.path);
    const { stdout, exitCode } = await sessions(["show", "main"], home.path);
    expect(exitCode).toBe(0);
    expect(list.stdout + stdout).not.toMatch(ACTS);
    expect(stdout).toContain("look<b> failed");
    expect(stdout).toMatch(/line 3 .*[\s\S]*… 80 more lines; an export shows all/);
    expect(stdout).not.toContain("line 9 ");
    expect(stdout).toContain("error: broken ");
  });

  test.each([
    [["rename", "main"], "mdx-ai sessions DIR rename ID NEW"],
    [["delete", "main", "other"], "mdx-ai sessions DIR delete ID"],
    [["fly"], "available: list, show, export, "],
    [["show", "main", "--json"], "--json is not an option of sessions show"],
    [["fork", "main"], "mdx-ai sessions DIR fork ID NEW"],
    [["fork", "main", "new"], "--session new starts a new one"],
    [["fork", "main", "other"], 'session "other" already exists'],
    [["fork", "main", "copy", "--at", "-1"], "--at needs a whole number of at least 0"],
    [["fork", "main", "copy", "--to", "1"], "--to is not an option of sessions fork"],
    [["rewind", "main"], "--to N"],
    [["show", "../.."], "bad session id"],
    [["rename", "main", "new"], "--session new starts a new one"],
    [["rename", "main", "other"], 'session "other" already exists'],
    [["export", "main", "--format", "pdf"], "--format needs md, json, html"],
    [["delete", "main"], "confirm with --yes"],
  ])("refuses %j", async (args, message) => {
    using home = temporaryDirectory();
    writeAgent(home.path, { main: TALK, other: TALK });
    const { exitCode, stdout, stderr } = await sessions(args, home.path);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(stderr).toContain(message);
    expect(existsSync(join(home.path, "agent/sessions/main/journal.jsonl"))).toBe(true);
  });

  test.each([
    [["show", "nobody"], 'there is no session "nobody"'],
    [["fork", "nobody", "copy"], 'there is no session "nobody"'],
    [["rewind", "nobody", "--to", "1"], 'there is no session "nobody"'],
    [["fork", "main", "copy", "--at", "2"], "no prompt 2 that has ended; there are: 1 to 1"],
    [["rewind", "main", "--to", "7"], "no prompt 7 that has ended; there are: 1 to 1"],
  ])("of what is not there gives exit code 1: %j", async (args, message) => {
    using home = temporaryDirectory();
    writeAgent(home.path, { main: TALK });
    const { exitCode, stdout, stderr } = await sessions(args, home.path);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(stderr).toContain(message);
    expect(readdirSync(join(home.path, "agent/sessions"))).toEqual(["main"]);
  });

  test.each([
    [".", "no agent.mdx in this directory"],
    ["nowhere", "cannot open the directory (ENOENT)"],
    ["notes.txt", "unexpected file, expected an agent directory"],
  ])("refuses %s, which is no agent", async (directory, reason) => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "notes.txt": "" });
    const run = await runCommandLine(["sessions", directory], { home: home.path });
    expect(run).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(`is not an agent directory: ${reason}`) });
  });
});

describe("an export", () => {
  const exported = async (format: string): Promise<string> => {
    using home = temporaryDirectory();
    writeAgent(home.path, { main: journal(MESSAGES) });
    const { exitCode, stdout, stderr } = await sessions(["export", "main", "--format", format], home.path);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(stdout).not.toMatch(ACTS);
    return stdout;
  };

  test("as JSON has every message as it was", async () => {
    expect(JSON.parse(await exported("json"))).toMatchObject({
      id: "main",
      tokens: 1234,
      usd: 0.5,
      messages: MESSAGES,
    });
  });

  test("as HTML has no element, attribute or script of what was said, and loads nothing", async () => {
    const elements = new Map<string, number>();
    const attributes = new Set<string>();
    const rewriter = new HTMLRewriter().on("*", {
      element(element) {
        elements.set(element.tagName, (elements.get(element.tagName) ?? 0) + 1);
        for (const [name, value] of element.attributes) attributes.add(name === "src" ? `src=${value}` : name);
      },
    });
    const html = await exported("html");
    rewriter.transform(html);
    expect(Object.fromEntries(elements)).toMatchObject({ article: 4, h1: 1, img: 1, style: 1 });
    for (const name of ["script", "b", "link", "iframe", "a"]) expect(elements.has(name)).toBe(false);
    const names = [
      "alt",
      "charset",
      "class",
      "content",
      "http-equiv",
      "lang",
      "name",
      "src=data:image/png;base64,aGk=",
    ];
    expect([...attributes].sort()).toStrictEqual(names);
    expect(html).toContain("default-src 'none'");
    expect(html).toContain(
      "says &lt;/p&gt;&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;\n```\n# You &amp; &#x27;me&#x27;",
    );
    expect(html).toContain("line 29 ");
  });

  test("as Markdown lets no heading or fence of what was said reach beyond its passage", async () => {
    const markdown = await exported("md");
    expect(markdown).toMatch(/^# Session main\n\n1 prompt, 2 turns, 1,000 tokens in, 234 out/);
    const outside = Bun.markdown.html(markdown).replace(/<blockquote>.*?<\/blockquote>/gs, "");
    expect([...outside.matchAll(/<(h\d|script|p)\b/g)].map(([, name]) => name)).toStrictEqual(
      ["h1 p", "h2 p p", "h2 p p", "h2", "h2 p"].flatMap((part) => part.split(" ")),
    );
    expect(markdown).toContain("> says </p><script>");
    expect(markdown).toContain("line 29 ");
  });

  test("goes to a new file, its owner's alone, and never over another one", async () => {
    using home = temporaryDirectory();
    writeAgent(home.path, { main: TALK });
    const args = ["export", "main", "--output", "talk.md"];
    const path = join(home.path, "talk.md");
    expect(await sessions(args, home.path)).toMatchObject({ exitCode: 0, stdout: `Written: ${path}\n`, stderr: "" });
    expect(readFileSync(path, "utf8")).toContain("> A test.");
    expect(statSync(path).mode & 0o777).toBe(0o600);
    writeText(path, "mine");
    expect(await sessions(args, home.path)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("already exists"),
    });
    expect(readFileSync(path, "utf8")).toBe("mine");
  });
});

describe("on a terminal a deletion is asked for", () => {
  test.each([
    ["y", false],
    ["n", true],
  ])("and %s answers", async (key, isThere) => {
    using home = temporaryDirectory();
    writeAgent(home.path, { main: TALK });
    await using run = new TerminalRun(["sessions", "agent", "delete", "main"], { home: home.path });
    await run.shows("Delete session main");
    run.write(key);
    expect(await run.exited).toBe(0);
    expect(existsSync(join(home.path, "agent/sessions/main"))).toBe(isThere);
  });
});
