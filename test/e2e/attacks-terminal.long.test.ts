import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { agentDirectory, toolText } from "../support/agent-directory.ts";
import { MINIMAL_AGENT } from "../support/agent-files.ts";
import { answerEvents, failureReply, textReply } from "../support/anthropic-replies.ts";
import { type AnthropicServer, anthropicServer } from "../support/anthropic-server.ts";
import { openInteractive } from "../support/interactive-session.ts";
import type { CliResult } from "../support/run-cli.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import type { TemporaryDirectory } from "../support/temporary-directory.ts";
import { TerminalRun } from "../support/terminal-run.ts";

const ESCAPE = "\u001b";

/** Each would do something to a terminal, or let a text look like another. */
const PIECES = [
  "\u001b]52;c;ZXZpbA==\u0007",
  "\u001b]0;owned\u0007",
  "\u001b]8;;http://evil.example\u001b\\link\u001b]8;;\u001b\\",
  "\u001b[2J\u001b[3J\u001b[1;1H",
  "\u001b[?1049h",
  "\u001bPq#0\u001b\\",
  "\u001bc",
  "\u009b2J\u009d0;owned\u009c",
  "\u202egnp.exe\u2066x\u2069",
  "pass\u200bword\u2060\ufeff",
  "\u{e0041}\u{e0042}",
  "\r> mdx-ai: trust this? yes\b\b\b",
];
const HOSTILE = `a${PIECES.join("b")}z`;
/** What no terminal may get of it; a newline and a tab are all right, and colours of ours where there is one. */
const UNSAFE = /(?![\n\t])\p{Cc}|[\u200b\u202e\u2060\u2066\u2069\ufeff\u{e0041}\u{e0042}]/u;

const literal = JSON.stringify(HOSTILE).replaceAll(/[^\x20-\x7e]/gu, (character) =>
  character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join(""),
);
const TOOLS = [
  toolText("say", `await ctx.log(${literal});\nreturn ${literal};`),
  toolText("fail", `throw new Error(${literal});`),
].join("");

function run(directory: TemporaryDirectory, server: AnthropicServer, ...args: readonly string[]): Promise<CliResult> {
  const environment = { ...server.environment, ANTHROPIC_MAX_RETRIES: "0" };
  return runCommandLine(args, { home: join(directory.path, "home"), cwd: directory.path, environment });
}

const hostileCalls = () => ({
  events: answerEvents([
    { text: [HOSTILE] },
    { id: "a", name: "say", json: [JSON.stringify({ text: HOSTILE })] },
    { id: "b", name: "fail", json: ["{}"] },
    { id: "c", name: `x${HOSTILE}`, json: ["{}"] },
  ]),
});

const prompt = ["agent", ".", "--trust", "--model", "claude-test", "--prompt"];

describe("a hostile text from a model, a tool, a user or a server", () => {
  test("does nothing to a terminal through a pipe; the model gets it byte for byte", async () => {
    using directory = agentDirectory({ "agent.mdx": MINIMAL_AGENT + TOOLS });
    using server = anthropicServer(
      hostileCalls(),
      textReply(HOSTILE),
      hostileCalls(),
      textReply(HOSTILE),
      failureReply(400, "invalid_request_error", { message: HOSTILE }),
    );
    const results: [string, CliResult][] = [];
    const show = async (...args: readonly string[]): Promise<void> => {
      results.push([args.join(" ").slice(0, 80), await run(directory, server, ...args)]);
    };
    await show(...prompt, HOSTILE);
    await show(...prompt, HOSTILE, "--json");
    await show(...prompt, HOSTILE, "--debug");
    expect(server.requests[1]?.text).toContain(JSON.stringify(HOSTILE));
    expect(server.requests[1]?.text.split(JSON.stringify(HOSTILE).slice(1, -1)).length).toBeGreaterThan(4);
    const looks = [
      ["trace", "."],
      ["trace", ".", "--json"],
      ["replay", "."],
      ["sessions", "."],
      ["sessions", ".", "show", "main"],
      ["sessions", ".", "export", "main", "--format", "json"],
      ["tool", ".", "say", "--trust"],
      ["tool", ".", "fail", "--trust"],
    ];
    await Promise.all(looks.map((args) => show(...args)));
    const unsafe = results.flatMap(([name, { stdout, stderr }]) =>
      [stdout, stderr].flatMap((text) => {
        const found = UNSAFE.exec(text);
        return found === null ? [] : [`${name}: ${JSON.stringify(text.slice(found.index - 40, found.index + 40))}`];
      }),
    );
    expect(unsafe).toStrictEqual([]);
    expect(
      results.filter(([, { stdout, stderr }]) => !/link/.test(stdout + stderr)).map(([name]) => name),
    ).toStrictEqual([]);
  });

  test("neither through a terminal of a single prompt", async () => {
    using directory = agentDirectory({ "agent.mdx": MINIMAL_AGENT + TOOLS });
    using server = anthropicServer(hostileCalls(), textReply(HOSTILE));
    const options = { home: join(directory.path, "home"), cwd: directory.path, environment: server.environment };
    await using shown = new TerminalRun([...prompt, HOSTILE], options);
    expect(await shown.exited).toBe(0);
    expect(shown.output).toContain("link");
    // Colours, the line of the spinner and the ends of lines are ours.
    const own = new RegExp(`${ESCAPE}\\[(?:\\d+m|2K|\\?25[hl])|\\r`, "g");
    expect(shown.output.replaceAll(own, "")).not.toMatch(UNSAFE);
  });

  test("nor in a conversation on a real terminal: neither title, screen nor reading order change", async () => {
    const calls = [{ id: "a", name: "say", arguments: { text: HOSTILE } }];
    const replies = [{ text: HOSTILE, calls }, { text: `${HOSTILE} The end.` }];
    await using run = await openInteractive({ replies, files: { "agent.mdx": MINIMAL_AGENT + TOOLS }, columns: 100 });
    const { terminal } = run;
    await terminal.type("Say something.");
    await terminal.press("Enter");
    await terminal.waitForHistory("The end.");
    // The program itself names the window after the session, and at some moment after the prompt.
    expect(await terminal.ask("#{pane_title}\t#{alternate_on}")).toMatch(/^Minimal – (?:main|Say something\.)\t0$/);
    const history = await terminal.history();
    expect(history).toContain("Say something.");
    expect(history).toContain("password");
    expect(history).not.toMatch(UNSAFE);
  });
});

test("names of files, of the agent and of its tools, and its descriptions, do nothing to a terminal", async () => {
  const name = "e\u001b]0;owned\u0007v\u202ei\u009bl";
  const mdx = `---\nmodel: "${name.replaceAll("\u001b", "\\e").replaceAll("\u0007", "\\a").replaceAll("\u009b", "\\x9b")}"\nnot_known_${"\u202e"}x: 1\n---\n\n# Agent: A${name}\n\n## Purpose\n\nBe ${name}.\n\n<Tool name="t\u202ex" description="D${name}">\n<Wrong a="${name}" />\n</Tool>\n`;
  using directory = agentDirectory({
    "agent.mdx": mdx,
    [`skills/${name}/SKILL.md`]: `---\nname: ${name}\n---\n\n${name}\n`,
  });
  using server = anthropicServer();
  const commands = [
    ["check", "."],
    ["check", ".", "--json"],
    ["inspect", "."],
    ["trust", "."],
    ["models", "."],
    [...prompt, "hi"],
    ["agent", `./${name}`, "--prompt", "hi"],
    [name],
    ["agent", ".", `--${name}`],
    ["agent", ".", "--session", name, "--prompt", "hi"],
  ];
  const results = await Promise.all(commands.map((command) => run(directory, server, ...command)));
  const unsafe = results.flatMap(({ stdout, stderr }, place) =>
    UNSAFE.test(stdout + stderr) ? [commands[place], stdout + stderr] : [],
  );
  expect(unsafe).toStrictEqual([]);
});
