import { describe, expect, test } from "bun:test";
import type { JsonObject, JsonValue } from "@mdx-ai/base";
import { callText } from "@mdx-ai/directory/views/call-text";
import { labelled } from "../../../../test/support/tool-labels.ts";
import { type Theme, themeOf } from "../output/theme.ts";
import { callResult } from "./view/call-result.ts";
import { type EndedBlock, type Extent, endedBlock, runningRows } from "./view/tool-block.ts";

const plain = themeOf({ NO_COLOR: "1" });

interface Returned {
  readonly text?: string;
  readonly details?: JsonValue;
  readonly isError?: boolean;
  readonly time?: number;
}

function ended(name: string, args: JsonObject, returned: Returned): EndedBlock {
  const { text = "", details, isError = false, time = 0 } = returned;
  const call = callText(labelled(name, args));
  const result = { content: [{ type: "text", text }] as const, ...(details !== undefined && { details }) };
  const redact = (whole: string): string => whole.replace("hunter2", "[redacted]");
  return {
    name,
    call,
    result: callResult({ call, args, result, isError }, { redact, minus: "−" }),
    time,
    hint: " (Ctrl+O)",
  };
}

function drawn(block: EndedBlock, extent: Extent = "short", { columns = 80, theme = plain } = {}): readonly string[] {
  return endedBlock(block, extent, theme).drawing(columns).slice(0, -1);
}

const bash = (command: string, returned: Returned): EndedBlock => ended("bash", { command }, returned);
const numbers = (count: number): string => Array.from({ length: count }, (_, at) => `line ${at + 1}\n`).join("");
const failed = (code: number) => ({ exitCode: code, signal: null, timedOut: false, bytes: 1, truncated: false });

describe("the block of a command", () => {
  test("shows it with its first lines, and with its time if it took long", () => {
    expect(drawn(bash("npm test", { text: "ok\n", time: 1_999 }))).toEqual(["● $ npm test", "  ok"]);
    expect(drawn(bash("npm test", { text: "ok\n", time: 72_000 }))).toEqual(["● $ npm test (1 min 12 s)", "  ok"]);
    const lines = drawn(bash("seq", { text: numbers(12), details: failed(0) }));
    expect(lines.slice(1, 6)).toEqual(["  line 1", "  line 2", "  line 3", "  … 2 more lines (Ctrl+O)", "  line 6"]);
    expect([lines.at(-1), lines.length]).toEqual(["  line 12", 12]);
  });

  test("shows the last lines of a failure, and the exit code below them", () => {
    const lines = drawn(bash("npm test", { text: `${numbers(30)}[exit code 2]`, details: failed(2), isError: true }));
    expect(lines.slice(0, 3)).toEqual(["● $ npm test", "  … 20 earlier lines (Ctrl+O)", "  line 21"]);
    expect(lines.slice(-2)).toEqual(["  line 30", "  exit code 2"]);
    const silent = drawn(bash("false", { text: "[exit code 1]", details: failed(1), isError: true }));
    expect(silent).toEqual(["● $ false", "  exit code 1"]);
  });

  test("shows the exit code once where notices of the sandbox follow it", () => {
    const text = "[exit code 1]\nout\n[exit code 1]\n[the sandbox moved .envrc away]\n[the user did not allow it]";
    const lines = drawn(bash("make", { text, details: failed(1), isError: true }));
    expect(lines).toEqual([
      "● $ make",
      ...[
        "  [exit code 1]",
        "  out",
        "  [the sandbox moved .envrc away]",
        "  [the user did not allow it]",
        "  exit code 1",
      ],
    ]);
    const own = drawn(bash("make", { text: "[exit code 1]\nout\n", details: failed(1), isError: true }));
    expect(own).toEqual(["● $ make", "  [exit code 1]", "  out", "  exit code 1"]);
  });

  test("shows the streams of shell.exec, which are JSON", () => {
    const text = JSON.stringify({ ok: false, exit_code: 3, stdout: "out\n", stderr: "err", truncated: false });
    expect(drawn(ended("shell.exec", { cmd: "x" }, { text }))).toEqual(["● $ x", "  out", "  err", "  exit code 3"]);
    expect(drawn(ended("shell.exec", { cmd: "x" }, { text: "{}" }))).toEqual(["● $ x", "  {}"]);
  });

  test("shows a command of several lines on separate lines", () => {
    const lines = drawn(bash("cat <<E\n  a\nE", { text: "a\n", time: 3_000 }));
    expect(lines).toEqual(["● $ cat <<E", "      a", "    E (3 s)", "  a"]);
  });

  test("cuts a long command, says how much is hidden, and shows all of it on demand", () => {
    const many = bash(numbers(10).trimEnd(), { text: "x" });
    expect(drawn(many)).toContain("    … 4 more lines of the command");
    expect(drawn(many, "whole").join("\n")).toContain("line 10");
    const long = bash("y".repeat(1_000), { text: "x" });
    expect(drawn(long)).toContain("    … 400 more characters of the command");
    expect(drawn(long, "whole").join("").match(/y/g)).toHaveLength(1_000);
    expect(endedBlock(long, "full", plain).isShortened).toBe(true);
  });
});

describe("the block of a file or a search", () => {
  const diff = "@@ -1,3 +1,4 @@\n one\n-two\n+TWO\n+more\n three";

  test("shows an edit as a coloured diff with its numbers of lines", () => {
    const edit = ended("edit_file", { path: "a.ts", edits: [] }, { text: "edited", details: { diff } });
    expect(drawn(edit)).toEqual([
      "● edit a.ts (+2 −1)",
      "  @@ -1,3 +1,4 @@",
      "    one",
      "  - two",
      "  + TWO",
      "  + more",
      "    three",
    ]);
    const colours = themeOf({});
    const painted = drawn(edit, "short", { theme: colours }).join("\n");
    expect(painted).toContain(colours.success("+ TWO"));
    expect(painted).toContain(colours.failure("- two"));
  });

  test("shows a write as a diff: all of a new file, what changed in another", () => {
    const args = { path: "a.ts", content: "one\n\ttwo\n" };
    const created = ended("write_file", args, { text: "created", details: { created: true } });
    expect(drawn(created)).toEqual(["● write a.ts (new, +2)", "  + one", "  +     two"]);
    expect(drawn(ended("fs.write", args, { text: "{}", details: { diff } }))[0]).toBe("● write a.ts (+2 −1)");
    expect(drawn(ended("write_file", args, { text: "replaced", details: { diff: "" } }))[1]).toBe("  nothing changes");
    expect(drawn(ended("write_file", args, { text: "replaced a.ts" }))).toEqual(["● write a.ts", "  replaced a.ts"]);
    const refused = { text: "it is read-only", details: { created: true }, isError: true };
    expect(drawn(ended("write_file", args, refused))).toEqual(["● write a.ts", "  it is read-only"]);
  });

  test("shows a change that the user approved in the question alone, and all of it on demand", () => {
    const edit = ended("edit_file", { path: "a.ts", edits: [] }, { text: "edited", details: { diff } });
    const approved = { ...edit, isApproved: true };
    expect(drawn(approved)).toEqual(["● edit a.ts (+2 −1)"]);
    expect(endedBlock(approved, "short", plain).isShortened).toBe(true);
    expect(drawn(approved, "whole")).toEqual(drawn(edit));
    expect(drawn({ ...bash("ls", { text: "a" }), isApproved: true })).toEqual(["● $ ls", "  a"]);
  });

  test("shows a file that was read on one line, and all of it on demand", () => {
    const read = ended("read_file", { path: "a.ts" }, { text: numbers(12) });
    expect(drawn(read)).toEqual(["● read a.ts (12 lines)"]);
    expect(drawn(read, "whole")).toHaveLength(13);
    const missing = ended("read_file", { path: "a.ts" }, { text: "there is no a.ts", isError: true });
    expect(drawn(missing)).toEqual(["● read a.ts", "  there is no a.ts"]);
  });

  test("bounds the height of a diff, even of one that fills the terminal", () => {
    const content = numbers(500);
    const block = ended("write_file", { path: "a", content }, { details: { created: true } });
    expect(drawn(block)).toHaveLength(32);
    expect(drawn(block).at(-1)).toBe("  … 470 more lines (Ctrl+O)");
    expect(drawn(block, "full")).toHaveLength(501);
  });

  test.each<[string, JsonObject, string, string]>([
    ["grep", { pattern: "x" }, "a.ts\n1: x\n2- y\n3: x\nb.ts\n1: x", '● grep "x" (3 matches)'],
    ["grep", { pattern: "x" }, "a.ts\n1: x\n[12 more matching lines, with 3 more files: …]", '● grep "x" (13 matches)'],
    ["grep", { pattern: "x" }, "a.ts\n1: x", '● grep "x" (1 match)'],
    ["grep", { pattern: "x" }, "[no matches]", '● grep "x" (no matches)'],
    ["grep", { pattern: "x", mode: "files" }, "a.ts\nb.ts", '● grep "x" (2 files)'],
    ["glob", { pattern: "*.ts" }, "a.ts", '● glob "*.ts" (1 file)'],
    ["glob", { pattern: "*.ts" }, "[no files match]", '● glob "*.ts" (no files)'],
    ["list_files", { path: "src" }, "a.ts\nb/", "● list src (2 items)"],
    ["list_files", {}, "[no files]", "● list . (no files)"],
    ["fs.list", { path: "src" }, '["a.ts"]', "● list src (1 line)"],
    ["read_file", { path: "a.ts", offset: 2, limit: 3 }, "x", "● read a.ts:2-4 (1 line)"],
    ["greet", { name: "Ann" }, "x", '● greet {"name":"Ann"}'],
  ])("%s %j", (name, args, text, title) => {
    expect(drawn(ended(name, args, { text }))[0]).toBe(title);
  });
});

describe("every block", () => {
  test("with output off is a name and a number of lines", () => {
    expect(drawn(bash("npm test", { text: numbers(25) }), "off")).toEqual(["● bash (25 lines)"]);
    expect(drawn(bash("npm test", { text: "one\n" }), "off")).toEqual(["● bash (1 line)"]);
  });

  test("with full output has all lines, whole", () => {
    const long = `${"x".repeat(500)}\n${numbers(300)}`;
    const block = bash("x", { text: long });
    expect(drawn(block, "full", { columns: 600 })).toHaveLength(302);
    expect(endedBlock(block, "full", plain).isShortened).toBe(false);
    expect(drawn(block, "short", { columns: 600 })[1]).toBe(`  ${"x".repeat(400)}…`);
  });

  test("hides secrets and what a tool wants of the terminal", () => {
    const evil = "\u001b[2Jhunter2\u001b]0;t\u0007 \u202eend";
    const blocks = [
      bash("x", { text: evil }),
      ended("write_file", { path: "a", content: evil }, { details: { created: true } }),
      ended("edit_file", { path: "a", edits: [] }, { details: { diff: `+${evil}` } }),
    ];
    for (const block of blocks) {
      const text = drawn(block).join("\n");
      expect(text).not.toMatch(/(?!\n)\p{Cc}|\u202e|hunter2/u);
      expect(text).toContain("[redacted]");
    }
  });

  test.each([20, 80, 120, 200])("fits %d columns, wide characters too", (columns) => {
    const wide = "日本語 👩‍👩‍👧‍👦 ".repeat(40);
    const theme: Theme = themeOf({});
    const blocks = [
      bash(`${wide}\n${wide}`, { text: `${wide}\n${wide}`, details: failed(1), isError: true, time: 5_000 }),
      ended("write_file", { path: wide, content: wide }, { details: { created: true } }),
      ended("greet", { name: wide }, { text: wide }),
    ];
    const rows = blocks.flatMap((block) =>
      (["short", "full", "off", "whole"] as const).flatMap((extent) => drawn(block, extent, { columns, theme })),
    );
    const running = runningRows(
      {
        name: "bash",
        call: callText(labelled("bash", { command: wide })),
        partial: { content: [{ type: "text", text: `${wide}\n${wide}` }] },
        time: 5_000,
        rows: 5,
        redact: (text) => text,
      },
      "short",
      theme,
      columns,
    );
    const widths = [...rows, ...running].map((row) => Bun.stringWidth(row));
    expect(Math.max(...widths)).toBeLessThanOrEqual(columns);
    expect(rows.length).toBeGreaterThan(12);
  });
});

describe("a running call", () => {
  const running = (text: string, mode: "short" | "off" = "short", rows = 5): readonly string[] =>
    runningRows(
      {
        name: "bash",
        call: callText(labelled("bash", { command: "npm test" })),
        partial: { content: [{ type: "text", text }] },
        time: 12_400,
        rows,
        redact: (whole) => whole.replace("hunter2", "[redacted]"),
      },
      mode,
      plain,
      80,
    );

  test("shows its time and the last rows of its output", () => {
    expect(running(numbers(9))).toEqual(["● $ npm test (12 s)", ...[5, 6, 7, 8, 9].map((at) => `  line ${at}`)]);
    expect(running("x".repeat(400), "short", 3)).toHaveLength(4);
    expect(running("50 %\r100 %\n hunter2")).toEqual(["● $ npm test (12 s)", "  50 %", "  100 %", "   [redacted]"]);
  });

  test("with output off is its name", () => {
    expect(running(numbers(9), "off")).toEqual(["● bash (12 s)"]);
  });
});
