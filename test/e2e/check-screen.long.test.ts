import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { MINIMAL_AGENT, writeFiles } from "../support/agent-files.ts";
import { requireProgram } from "../support/require-program.ts";
import { cliCommand, cliEnvironment } from "../support/run-cli.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { openTmux } from "../support/tmux.ts";
import { agentWith } from "../support/type-check.ts";

/** A warning with a fix, an error without one, and a closing tag that closes nothing in a long line, behind wide characters and a tab. */
const LONG = `天気\t${"here is a lot of text, ".repeat(5)}</Tool> ${"and more of it, ".repeat(7)}`.trimEnd();
const BROKEN = `---\nmodell: opus\ntemperature: hot\n---\n\n# Agent: Broken\n\n## Purpose\n\n${LONG}\n`;

const AT_40 = `my-agent/agent.mdx:2:1 warning
    setting-unknown unexpected setting
    \`modell\`, expected one of name,
    description, sections, model,
    temperature, max_tokens, thinking,
    reasoning_effort, stream, retries,
    timeout, offline, limits, context,
    logs, permissions, sandbox,
    credentials, workspace, self_edit,
    statusbar, tool_output, schedule,
    timezone, builtins, tools, mcp,
    hooks, skills, triggers, memory
  2 | modell: opus
    | ^~~~~~
  did you mean \`model\`?

my-agent/agent.mdx:3:14 error
    setting-type unexpected \`hot\` as
    \`temperature\`, expected a number
    from 0 to 2
  3 | temperature: hot
    |              ^~~
  The sampling temperature; sent only if
  set.

my-agent/agent.mdx:10:119 error
    element-closing-tag unexpected
    \`</Tool>\`, expected \`<Tool …>\`
    before it, within the same list item
    or quote
  10 | …ot of text, </Tool> and more of…
     |              ^~~~~~~
  remove the closing tag, or write the
  opening one

2 errors, 1 warning
  2 of them can be fixed:
    mdx-ai check my-agent --fix
`;

const AT_80 = `my-agent/agent.mdx:2:1 warning setting-unknown unexpected setting \`modell\`,
    expected one of name, description, sections, model, temperature, max_tokens,
    thinking, reasoning_effort, stream, retries, timeout, offline, limits,
    context, logs, permissions, sandbox, credentials, workspace, self_edit,
    statusbar, tool_output, schedule, timezone, builtins, tools, mcp, hooks,
    skills, triggers, memory
  2 | modell: opus
    | ^~~~~~
  did you mean \`model\`?

my-agent/agent.mdx:3:14 error setting-type unexpected \`hot\` as
    \`temperature\`, expected a number from 0 to 2
  3 | temperature: hot
    |              ^~~
  The sampling temperature; sent only if set.

my-agent/agent.mdx:10:119 error element-closing-tag unexpected \`</Tool>\`,
    expected \`<Tool …>\` before it, within the same list item or quote
  10 | …of text, here is a lot of text, </Tool> and more of it, and more of it,…
     |                                  ^~~~~~~
  remove the closing tag, or write the opening one

2 errors, 1 warning; 2 of them can be fixed: mdx-ai check my-agent --fix
`;

const AT_120 = `my-agent/agent.mdx:2:1 warning setting-unknown unexpected setting \`modell\`, expected one of name, description,
    sections, model, temperature, max_tokens, thinking, reasoning_effort, stream, retries, timeout, offline, limits,
    context, logs, permissions, sandbox, credentials, workspace, self_edit, statusbar, tool_output, schedule, timezone,
    builtins, tools, mcp, hooks, skills, triggers, memory
  2 | modell: opus
    | ^~~~~~
  did you mean \`model\`?

my-agent/agent.mdx:3:14 error setting-type unexpected \`hot\` as \`temperature\`, expected a number from 0 to 2
  3 | temperature: hot
    |              ^~~
  The sampling temperature; sent only if set.

my-agent/agent.mdx:10:119 error element-closing-tag unexpected \`</Tool>\`, expected \`<Tool …>\` before it, within the
    same list item or quote
  10 | …text, here is a lot of text, here is a lot of text, </Tool> and more of it, and more of it, and more of it, and…
     |                                                      ^~~~~~~
  remove the closing tag, or write the opening one

2 errors, 1 warning; 2 of them can be fixed: mdx-ai check my-agent --fix
`;

describe("the screen of mdx-ai check", () => {
  test.each([
    [40, AT_40],
    [80, AT_80],
    [120, AT_120],
    // Prose in wider lines is hard to read.
    [300, AT_120],
  ])("at %d columns by COLUMNS", async (columns, screen) => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "my-agent/agent.mdx": BROKEN });
    const options = { home: home.path, environment: { COLUMNS: String(columns) } };
    expect(await runCommandLine(["check", "my-agent"], options)).toStrictEqual({
      exitCode: 2,
      stdout: screen,
      stderr: "",
    });
  });

  test("has one line for each message if nothing says how wide it is, and cuts a long line of the file all the same", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "my-agent/agent.mdx": BROKEN });
    const { stdout } = await runCommandLine(["check", "my-agent"], { home: home.path });
    expect(stdout.replace(/\n {4}(?! *[|^])/g, " ")).toBe(AT_120.replace(/\n {4}(?! *[|^])/g, " "));
    expect(stdout).toMatch(/^my-agent\/agent\.mdx:2:1 warning setting-unknown .*, memory$/m);
  });

  test.skipIf(requireProgram("tmux")).each([
    [40, AT_40],
    [80, AT_80],
    [120, AT_120],
  ])("at %d columns of a terminal, which wraps no line", async (columns, screen) => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "my-agent/agent.mdx": BROKEN });
    const { PATH = "", HOME = "", LANG = "" } = cliEnvironment({ home: home.path });
    await using terminal = await openTmux({
      command: cliCommand(["check", "my-agent"]),
      cwd: home.path,
      // The terminal knows better.
      environment: { PATH, HOME, LANG, COLUMNS: "77" },
      columns,
      rows: 60,
    });
    expect(await terminal.exitCode()).toBe(2);
    expect(await terminal.history()).toStartWith(screen);
  });
});

describe("mdx-ai check shows the line", () => {
  test("of a module, of what it imports and of the file of a tool's src", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, {
      "agent/agent.mdx": agentWith('<Tool name="t" description="T" src="./t.ts" />\n'),
      "agent/t.ts": "export const execute = (): string => 5;\n",
      "agent/lib/a.ts": "\uFEFF\r\nexport const a: number = '漢';\r\n",
      "agent/modules/m.ts": 'import { a } from "../lib/a.ts";\nexport default { describe: a };\n',
    });
    const { stdout } = await runCommandLine(["check", "agent"], { home: home.path });
    expect(stdout).toContain(
      "(TS2322)\n  1 | export const execute = (): string => 5;\n    |                                      ^\n",
    );
    expect(stdout).toContain("(TS2322)\n  2 | export const a: number = '漢';\n    |              ^\n");
    expect(stdout).toContain("\n  2 | export default { describe: a };\n    | ^~~~~~\n");
  });

  test("and none for what is missing", async () => {
    using home = temporaryDirectory();
    const { stdout } = await runCommandLine(["check", "nowhere"], { home: home.path });
    expect(stdout).toBe(
      `nowhere:1:1 error directory-missing cannot open the directory (ENOENT)\n  check that ${join(home.path, "nowhere")} exists\n\n1 error, 0 warnings\n`,
    );
  });

  test("with nothing that a terminal acts upon", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "agent/agent.mdx": `${MINIMAL_AGENT}\n\u001b]0;title\u0007\u202e\u009b2J </Tool>\n` });
    const { stdout } = await runCommandLine(["check", "agent"], { home: home.path });
    expect(stdout).toContain("\n  7 | \\u{1b}]0;title\\u{7}\\u{202e}\\u{9b}2J </Tool>\n");
    expect(stdout).not.toMatch(/(?!\n)\p{Cc}|\u202e/u);
  });

  test.each([20, 40, undefined])(
    "with the user's keys redacted before the line is cut, at %p columns",
    async (columns) => {
      using home = temporaryDirectory();
      const key = "k3y0123456789abcdefghijklmnopqrstuvwxyz";
      writeFiles(home.path, {
        "agent/agent.mdx": `${MINIMAL_AGENT}\nA ${key} </Tool> ${key} and ${"more ".repeat(40)}\n`,
      });
      const environment = { MY_API_KEY: key, ...(columns !== undefined && { COLUMNS: String(columns) }) };
      const { stdout } = await runCommandLine(["check", "agent"], { home: home.path, environment });
      expect(stdout).toMatch(/\n {2}7 \| .*</);
      expect(stdout).not.toContain("k3y0");
      expect(stdout).not.toContain("wxyz");
    },
  );
});

describe("mdx-ai check ends with", () => {
  const EXAMPLE = '<Example name="one">\n```json\n{"arguments": {}, "result": "x"}\n```\n</Example>';
  const TESTED = agentWith(
    `<Tool name="t" description="T">\n\n\`\`\`ts\nconst execute = (): string => "x";\n\`\`\`\n\n${EXAMPLE}\n\n</Tool>\n`,
  );

  /** The last lines of a check. */
  async function summaryOf(agent: string, args: readonly string[] = [], columns?: number): Promise<string> {
    using home = temporaryDirectory();
    writeFiles(home.path, { "my-agent/agent.mdx": agent });
    const environment = columns === undefined ? {} : { COLUMNS: String(columns) };
    const { stdout } = await runCommandLine(["check", "my-agent", ...args], { home: home.path, environment });
    return stdout.slice(stdout.lastIndexOf("\n\n") + 1).trimStart();
  }

  test.each([
    ["how to run what is fine", MINIMAL_AGENT, "No mistakes found. Run it: mdx-ai my-agent\n"],
    ["how to test it as well", TESTED, "No mistakes found. Test it: mdx-ai test my-agent; run it: mdx-ai my-agent\n"],
    [
      "how to fix the only mistake",
      `${MINIMAL_AGENT}\nA </Tool>\n`,
      "1 error, 0 warnings; it can be fixed: mdx-ai check my-agent --fix\n",
    ],
    [
      "how to fix all mistakes",
      `---\nmodell: opus\n---\n\n${MINIMAL_AGENT}\nA </Tool>\n`,
      "1 error, 1 warning; all of them can be fixed: mdx-ai check my-agent --fix\n",
    ],
    ["the counts if nothing can be fixed", `---\ntemperature: hot\n---\n\n${MINIMAL_AGENT}`, "1 error, 0 warnings\n"],
    [
      "how to run what has warnings alone",
      `${MINIMAL_AGENT}\n## Purpose\n\nAgain.\n`,
      "0 errors, 1 warning; run it: mdx-ai my-agent\n",
    ],
  ])("%s", async (_name, agent, expected) => {
    expect(await summaryOf(agent)).toBe(expected);
  });

  test("whole commands on separate lines if space is short", async () => {
    expect(await summaryOf(TESTED, [], 40)).toBe(
      "No mistakes found.\n  test it: mdx-ai test my-agent\n  run it: mdx-ai my-agent\n",
    );
    expect(await summaryOf(`${MINIMAL_AGENT}\nA </Tool>\n`, [], 40)).toBe(
      "1 error, 0 warnings\n  it can be fixed:\n    mdx-ai check my-agent --fix\n",
    );
  });

  test("no word of --fix if that has just fixed what it can", async () => {
    const left = await summaryOf(`---\ntemperature: hot\n---\n\n${MINIMAL_AGENT}\nA </Tool>\n`, ["--fix"]);
    expect(left).toBe("1 error, 0 warnings\n");
  });

  test("no word of --fix for a file that it does not write", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "agent/skills/.keep": "" });
    const bytes = Buffer.concat([Buffer.from(`${MINIMAL_AGENT}\nA </Tool>\n`), Buffer.from([0xff, 0x0a])]);
    await Bun.write(join(home.path, "agent/agent.mdx"), bytes);
    const { stdout } = await runCommandLine(["check", "agent"], { home: home.path });
    expect(stdout).toEndWith("\n\n2 errors, 0 warnings\n");
  });

  test("commands that work as they are written", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "check/agent.mdx": MINIMAL_AGENT, "my agent/agent.mdx": MINIMAL_AGENT });
    const named = await runCommandLine(["check", "check"], { home: home.path });
    expect(named.stdout).toBe("No mistakes found. Run it: mdx-ai ./check\n");
    const quoted = await runCommandLine(["check", "my agent"], { home: home.path });
    expect(quoted.stdout).toBe("No mistakes found. Run it: mdx-ai 'my agent'\n");
    const here = await runCommandLine(["check"], { home: home.path, cwd: join(home.path, "check") });
    expect(here.stdout).toBe("No mistakes found. Run it: mdx-ai .\n");
  });
});

test("mdx-ai check says of a file with a statement that it is MDX", async () => {
  using home = temporaryDirectory();
  writeFiles(home.path, { "agent/agent.mdx": `${MINIMAL_AGENT}\nexport const year = 2026;\n\nIt is {year}.\n` });
  const text = await runCommandLine(["check", "agent"], { home: home.path });
  expect(text.stdout).toBe(
    "agent.mdx is MDX: braces in its prose are code.\nNo mistakes found. Run it: mdx-ai ./agent\n",
  );
  const json = await runCommandLine(["check", "agent", "--json"], { home: home.path });
  expect(JSON.parse(json.stdout)).toMatchObject({ errors: 0, files: [{ file: "agent.mdx", kind: "mdx" }] });
});

test("mdx-ai check --json has the diagnostics alone", async () => {
  using home = temporaryDirectory();
  const agent = `${MINIMAL_AGENT}\nA </Tool>\n`;
  writeFiles(home.path, { "agent/agent.mdx": agent });
  const { stdout } = await runCommandLine(["check", "agent", "--json"], {
    home: home.path,
    environment: { COLUMNS: "40" },
  });
  const start = agent.indexOf("</Tool>");
  expect(JSON.parse(stdout)).toStrictEqual({
    path: join(home.path, "agent"),
    errors: 1,
    warnings: 0,
    notes: 0,
    files: [{ file: "agent.mdx", kind: "markdown" }],
    diagnostics: [
      {
        file: "agent.mdx",
        line: 7,
        column: 3,
        severity: "error",
        rule: "element-closing-tag",
        message: expect.any(String),
        hint: expect.any(String),
        fix: { start, end: start + "</Tool>".length, text: "" },
      },
    ],
  });
});
