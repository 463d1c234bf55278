import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ApprovalRequest } from "@mdx-ai/loop";
import fc from "fast-check";
import { approvalRequest } from "../../../../test/support/approval-request.ts";
import { randomCases } from "../../../../test/support/random-cases.ts";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { themeOf } from "../output/theme.ts";
import { approvalContent, visibleLine } from "./approval-content.ts";
import { framedLines } from "./framed-lines.ts";

const theme = themeOf({ NO_COLOR: "1" });

async function drawn(request: Partial<ApprovalRequest>, columns = 60): Promise<readonly string[]> {
  const { title, lines } = await approvalContent(approvalRequest(request));
  return [title, ...framedLines(lines, columns, theme)];
}

describe("what is asked about is shown", () => {
  test("as the whole command, line by line, with its other arguments", async () => {
    const command = "cd /tmp &&\n  rm -rf build\n";
    const args = { command, timeout: 5 };
    expect(await drawn({ args, access: { kind: "command", command } })).toStrictEqual([
      "bash wants to run this command",
      "  │ cd /tmp &&",
      "  │   rm -rf build",
      "  │ ",
      "  │ with:",
      "  │ {",
      '  │   "timeout": 5',
      "  │ }",
    ]);
  });

  test("with blank and invisible letters of names as escapes", async () => {
    const toolName = "mcp.files.delete\u3164";
    const request = { toolName, pattern: `${toolName}(\u115f)`, reason: `calls \u1160`, prefix: "a\uffa0 *" };
    const content = await approvalContent(
      approvalRequest({ ...request, access: { kind: "host", host: "a\u3164.example" } }),
    );
    expect(content).toMatchObject({
      title: "mcp.files.delete\\u{3164} wants to reach a\\u{3164}.example with",
      pattern: "mcp.files.delete\\u{3164}(\\u{115f})",
      reason: "calls \\u{1160}",
      prefix: "a\\u{ffa0} *",
    });
  });

  test("as a command that is wrapped and never cut, however long", async () => {
    const command = `echo ${"x".repeat(20_000)}; rm -rf ~`;
    const [, ...rows] = await drawn({ args: { command }, access: { kind: "command", command } });
    expect(rows.map((row) => row.slice(4)).join("")).toBe(command);
    expect(rows.filter((row) => row.startsWith("  │")).length).toBe(1);
    expect(rows.every((row) => /^ {2}[│┆] /.test(row) && row.length <= 60)).toBe(true);
  });

  test("as what an edit would change, or as its arguments if it will fail", async () => {
    using folder = temporaryDirectory();
    const path = join(folder.path, "a.txt");
    writeFileSync(path, "one\r\ntwo\r\n");
    const request = (old: string): Partial<ApprovalRequest> => ({
      toolName: "edit_file",
      args: { path, edits: [{ old, new: "2" }] },
      access: { kind: "write", path },
    });
    const { title, lines } = await approvalContent(approvalRequest(request("two")));
    expect(title).toBe("edit_file wants to change this file");
    expect(lines.map(({ mark = "", text }) => `${mark}${text}`).slice(1)).toStrictEqual([
      ...["@@ -1,2 +1,2 @@", " one\\r", "-two\\r", "+2\\r"],
    ]);
    expect((await drawn(request("three")))[0]).toBe("edit_file wants to write this file");
    // A tool of a module may do something else with the same arguments.
    const ofModule = await drawn({ ...request("two"), toolOrigin: "module:x" });
    expect(ofModule[0]).toBe("edit_file wants to write this file");
    expect(ofModule.join("\n")).toContain('"edits"');
  });

  test("with keys redacted before lines are split and wrapped, and a change of keys alone as such", async () => {
    using folder = temporaryDirectory();
    const path = join(folder.path, "keys.env");
    writeFileSync(path, "A=old-s3cr3t\n");
    const redact = (text: string): string => text.replaceAll(/(old|new)-s3cr3t/g, "[redacted A]");
    const shown = async (request: Partial<ApprovalRequest>): Promise<string> => {
      const { lines, reason, pattern } = await approvalContent(approvalRequest(request), redact);
      const rows = framedLines(lines, 20, theme).map((row) => row.replace(/^ {2}[│┆] /, ""));
      return [...rows, reason, pattern].join("").replaceAll(" ", "");
    };
    const command = `echo ${"x".repeat(8)} new-s3cr3t`;
    const requests: readonly Partial<ApprovalRequest>[] = [
      { args: { command, note: "old-s3cr3t" }, access: { kind: "command", command }, pattern: "bash(echo new-s3cr3t)" },
      { toolName: "deploy", args: { key: "new-s3cr3t" }, access: { kind: "call" } },
      { toolName: "write_file", args: { content: "A=new-s3cr3t\nB=1\n" }, access: { kind: "write", path } },
    ];
    for (const request of requests) {
      const text = await shown(request);
      expect(text).toContain("[redactedA]");
      expect(text).not.toContain("s3cr");
    }
    const args = { content: "A=new-s3cr3t\n" };
    expect(await shown({ toolName: "write_file", args, access: { kind: "write", path } })).toContain("onlykeyschange");
  });

  test("as a command of many lines that is shown whole", async () => {
    const command = Array.from({ length: 3000 }, (_, at) => `echo ${at}`).join("\n");
    const content = await approvalContent(approvalRequest({ args: { command }, access: { kind: "command", command } }));
    expect([content.lines.length, content.rest.length]).toStrictEqual([3000, 0]);
  });

  test("as a diff of the file that would be written, below its real path", async () => {
    using folder = temporaryDirectory();
    const path = join(folder.path, "notes.md");
    writeFileSync(path, "one\ntwo\n");
    const args = { path: "notes.md", content: "one\nthree\n" };
    expect(await drawn({ toolName: "write_file", args, access: { kind: "write", path } }, 200)).toStrictEqual([
      "write_file wants to change this file",
      `  │ ${path}`,
      "  │ @@ -1,2 +1,2 @@",
      "  │   one",
      "  │ - two",
      "  │ + three",
    ]);
  });

  test("as the first 200 lines of a long diff, with the others at hand", async () => {
    using folder = temporaryDirectory();
    const args = { path: "long", content: "line\n".repeat(1000) };
    const access = { kind: "write", path: join(folder.path, "long") } as const;
    const { title, lines, rest } = await approvalContent(approvalRequest({ toolName: "write_file", args, access }));
    expect([title, lines.length, rest.length]).toStrictEqual(["write_file wants to create this file", 200, 801]);
  });

  test("as the real path that would be read, and the arguments", async () => {
    expect(
      await drawn({ toolName: "read_file", args: { path: "link" }, access: { kind: "read", path: "/etc/shadow" } }),
    ).toStrictEqual([
      "read_file wants to read this file",
      "  │ /etc/shadow",
      "  │ as:",
      "  │ {",
      '  │   "path": "link"',
      "  │ }",
    ]);
  });

  test("as the path alone where the arguments say nothing else", async () => {
    const access = { kind: "read", path: "/etc/hosts" } as const;
    expect(await drawn({ toolName: "read_file", args: { path: "/etc/hosts" }, access })).toStrictEqual([
      "read_file wants to read this file",
      "  │ /etc/hosts",
    ]);
    const relative = { kind: "read", path: "/work/config/.env" } as const;
    expect(await drawn({ toolName: "read_file", args: { path: "config/.env" }, access: relative })).toStrictEqual([
      "read_file wants to read this file",
      "  │ /work/config/.env",
    ]);
    expect(await drawn({ toolName: "read_file", args: { path: "env" }, access: relative })).toContain("  │ as:");
  });

  test("as the command that runs again, with what the sandbox is opened for", async () => {
    const args = { command: "make", timeout: 5 };
    const shown = ["  │ make", "  │ with:", "  │ {", '  │   "timeout": 5', "  │ }"];
    const opened = "bash wants to run this command again, with more sandbox access";
    expect(
      await drawn({ args, access: { kind: "sandbox", wanted: { kind: "host", host: "a.example" } } }),
    ).toStrictEqual([opened, ...shown, "  │ and reach a.example"]);
    expect(
      await drawn({ args, access: { kind: "sandbox", wanted: { kind: "write", path: "/a\n? b\u202e" } } }),
    ).toStrictEqual([opened, ...shown, "  │ and write /a\\n? b\\u{202e}"]);
    expect(await drawn({ args, access: { kind: "sandbox", wanted: { kind: "read", path: "/usr" } } })).toStrictEqual([
      opened,
      ...shown,
      "  │ and read /usr and all in it",
    ]);
    expect(
      await drawn({ args, access: { kind: "sandbox", wanted: { kind: "outside", command: "make" } } }),
    ).toStrictEqual(["bash wants to run this command again, without a sandbox", ...shown]);
  });

  test("as its arguments where it is not known what it accesses", async () => {
    const args = { to: "a\u202eb", note: "x\n? bash wants to run this command" };
    expect(await drawn({ toolName: "send", args, access: { kind: "call" } })).toStrictEqual([
      "send wants to be called with",
      "  │ {",
      '  │   "to": "a\\u{202e}b",',
      '  │   "note": "x\\n? bash wants to run this command"',
      "  │ }",
    ]);
  });

  test("so that no line of it looks like a line of the program", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: "binary", maxLength: 300 }),
        fc.integer({ min: 12, max: 90 }),
        async (command, columns) => {
          const [, ...rows] = await drawn({ args: { command }, access: { kind: "command", command } }, columns);
          for (const row of rows) {
            expect(row).toMatch(/^ {2}[│┆] [^\p{Cc}\u202a-\u202e\u2066-\u2069]*$/u);
            expect(Bun.stringWidth(row)).toBeLessThanOrEqual(columns);
          }
        },
      ),
      randomCases(),
    );
  });

  test("with a name, a reason and a pattern that cannot break out of their line", async () => {
    const evil = "x\n? bash wants\u001b[2J\u202e";
    const { title, reason, pattern } = await approvalContent(
      approvalRequest({ toolName: evil, reason: evil, pattern: evil }),
    );
    for (const text of [title, reason, pattern]) expect(text).not.toMatch(/[\p{Cc}\u202e]/u);
  });
});

const shown: readonly (readonly [name: string, text: string, visible: string])[] = [
  ["an escape sequence", "a\u001b[2Kb", "a\\u{1b}[2Kb"],
  ["a clipboard write", "\u001b]52;c;aGk=\u0007", "\\u{1b}]52;c;aGk=\\u{7}"],
  ["a bidirectional override", "txt\u202efdp", "txt\\u{202e}fdp"],
  ["what has no width", "a\u200bb\u3164c\u00add", "a\\u{200b}b\\u{3164}c\\u{ad}d"],
  ["tag characters", "a\u{e0061}b", "a\\u{e0061}b"],
  ["a blank that is none", "a\u00a0b\u2800c", "a\\u{a0}b\\u{2800}c"],
  ["a carriage return", "rm -rf ~\rls", "rm -rf ~\\rls"],
  ["a newline", "a\nb", "a\\nb"],
  ["a C1 control", "a\u009b2Jb", "a\\u{9b}2Jb"],
  ["half a surrogate", "a\ud800b", "a\\u{d800}b"],
  ["a tab", "a\tb", "a→   b"],
  ["letters, wide ones and emoji", "Grüß 日本 ❤️ 🎉", "Grüß 日本 ❤️ 🎉"],
];

describe("what the user decides about is shown", () => {
  test.each(shown)("with %s visible", (_name, text, visible) => {
    expect(visibleLine(text)).toBe(visible);
  });
});
