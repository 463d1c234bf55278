import { describe, expect, test } from "bun:test";
import type { JsonObject } from "@mdx-ai/base";
import { labelled } from "../../../../test/support/tool-labels.ts";
import { callText } from "./call-text.ts";

const said = (name: string, args: JsonObject): string => {
  const { verb, lines } = callText(labelled(name, args));
  return [verb, lines.join("⏎")].join(" ").trim();
};

describe("a call in the words of a user", () => {
  test.each<[string, JsonObject, string]>([
    ["bash", { command: "npm test" }, "$ npm test"],
    ["bash", { command: "cd a\n\tls", timeout: 5 }, "$ cd a⏎    ls"],
    ["shell.exec", { cmd: "ls", timeout_s: 5 }, "$ ls"],
    ["read_file", { path: "a.ts" }, "read a.ts"],
    ["read_file", { path: "a.ts", offset: 10, limit: 31 }, "read a.ts:10-40"],
    ["read_file", { path: "a.ts", offset: 10 }, "read a.ts:10-"],
    ["read_file", { path: "a.ts", limit: 5 }, "read a.ts:1-5"],
    ["fs.read", { path: "a.ts" }, "read a.ts"],
    ["write_file", { path: "a.ts", content: "x" }, "write a.ts"],
    ["fs.write", { path: "a.ts", content: "x", create_dirs: true }, "write a.ts"],
    ["edit_file", { path: "a.ts", edits: [] }, "edit a.ts"],
    ["grep", { pattern: "a\\d+" }, 'grep "a\\d+"'],
    ["grep", { pattern: "x", path: "src", glob: "*.ts" }, 'grep "x" in src *.ts'],
    ["glob", { pattern: "*.ts" }, 'glob "*.ts"'],
    ["list_files", {}, "list ."],
    ["list_files", { path: "src", depth: 2 }, "list src to depth 2"],
    ["fs.list", { path: "src" }, "list src"],
    ["web_fetch", { url: "https://example.com/a" }, "fetch https://example.com/a"],
    [
      "todo",
      {
        items: [
          { text: "a", status: "done" },
          { text: "b", status: "active" },
        ],
      },
      "todo 1 of 2 done: b",
    ],
    ["todo", { items: [{ text: "a", status: "done" }] }, "todo 1 of 1 done"],
    ["greet", { name: "Ann" }, 'greet {"name":"Ann"}'],
    ["greet", {}, "greet"],
  ])("%s %j", (name, args, text) => {
    expect(said(name, args)).toBe(text);
  });

  test.each<[string, JsonObject]>([
    ["bash", {}],
    ["bash", { command: 1 }],
    ["bash", { command: "ls", as: "root" }],
    ["read_file", { path: ["a"] }],
    ["grep", { path: "src" }],
  ])("that is not as the builtin tool takes it is shown whole: %s %j", (name, args) => {
    expect(said(name, args)).toBe(`${name} ${JSON.stringify(args) === "{}" ? "" : JSON.stringify(args)}`.trim());
  });

  test("shows what is hidden, on its line", () => {
    expect(said("bash", { command: "echo \u001b[2J\u202e\rx" })).toBe("$ echo \\u{1b}[2J\\u{202e}\\rx");
    expect(said("read_file", { path: "a\nb" })).toBe("read a\\nb");
    expect(said("a\u001bb", { x: "\u009b" })).toBe('a\\u{1b}b {"x":"\\u{9b}"}');
  });

  test("is redacted before it is split", () => {
    const { lines } = callText(labelled("bash", { command: "echo se\ncret" }), (text) =>
      text.replace("se\ncret", "[redacted]"),
    );
    expect(lines).toEqual(["echo [redacted]"]);
  });
});
