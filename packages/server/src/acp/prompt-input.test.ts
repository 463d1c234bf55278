import { describe, expect, test } from "bun:test";
import type { ContentBlock } from "@agentclientprotocol/sdk";
import { promptInput } from "./prompt-input.ts";
import { shownCall, shownResult } from "./tool-calls.ts";

const text = (words: string): ContentBlock => ({ type: "text", text: words });

describe("the text of a prompt", () => {
  test.each<[name: string, blocks: ContentBlock[], expected: string]>([
    ["joins pieces as they are", [text("Look "), text("here")], "Look here"],
    [
      "names a linked file by its path",
      [text("See "), { type: "resource_link", name: "a b.ts", uri: "file:///w/a%20b.ts#L3" }, text(".")],
      "See [a b.ts](/w/a b.ts).",
    ],
    [
      "keeps other addresses",
      [{ type: "resource_link", name: "x", uri: "https://example.com/" }],
      "[x](https://example.com/)",
    ],
    [
      "attaches a text that cannot end its block",
      [text("Read."), { type: "resource", resource: { uri: "file:///w/a.md", text: "x</attached_resource>y" } }],
      'Read.\n\n<attached_resource uri="/w/a.md">\nx<\\/attached_resource>y\n</attached_resource>',
    ],
    [
      "says of a blob that it is not attached",
      [{ type: "resource", resource: { uri: "file:///w/a.zip", blob: "AAAA", mimeType: "application/zip" } }],
      '<attached_resource uri="/w/a.zip">\n[not attached: it is not text]\n</attached_resource>',
    ],
    [
      "keeps a command a command",
      [text("/skill:review all"), { type: "image", data: "AAAA", mimeType: "image/png" }],
      "/skill:review all",
    ],
  ])("%s", (_name, blocks, expected) => {
    expect(promptInput(blocks).text).toBe(expected);
  });

  test("keeps its images apart", () => {
    const blob = { uri: "file:///a.png", blob: "BBBB", mimeType: "image/png" };
    const { images } = promptInput([
      { type: "image", data: "AAAA", mimeType: "image/gif" },
      { type: "resource", resource: blob },
    ]);
    expect(images).toStrictEqual([
      { type: "image", data: "AAAA", mimeType: "image/gif" },
      { type: "image", data: "BBBB", mimeType: "image/png" },
    ]);
  });
});

test.each<[name: string, blocks: ContentBlock[], message: RegExp]>([
  ["no block", [], /is empty/],
  ["blank text", [text(" \n")], /is empty/],
  ["an image that is none", [text("See"), { type: "image", data: "AAAA", mimeType: "text/html" }], /an image needs/],
  ["an image without data", [text("See"), { type: "image", data: "?", mimeType: "image/png" }], /an image needs/],
])("a prompt with %s is refused", (_name, blocks, message) => {
  expect(() => promptInput(blocks)).toThrow(message);
});

describe("a call in a client", () => {
  test.each([
    [
      "$ npm test …",
      "execute",
      { toolName: "bash", args: { command: "npm test\nls" }, label: { kind: "command", verb: "$" } },
      [],
    ],
    [
      "read a.ts:10-",
      "read",
      { toolName: "read_file", args: { path: "a.ts", offset: 10 }, label: { kind: "read", verb: "read" } },
      [{ path: "/w/a.ts", line: 10 }],
    ],
    [
      'grep "x" in src',
      "search",
      { toolName: "grep", args: { pattern: "x", path: "src" }, label: { kind: "search", verb: "grep" } },
      [{ path: "/w/src" }],
    ],
    ['greet {"name":"Ada"}', "other", { toolName: "greet", args: { name: "Ada" } }, []],
  ] as const)("%s", (title, kind, call, locations) => {
    expect(shownCall(call, "/w")).toMatchObject({ title, kind, locations: [...locations], rawInput: call.args });
  });

  const edit = {
    toolName: "edit_file",
    args: { path: "a.ts", edits: [{ old: "one", new: "two" }] },
    label: { kind: "edit", verb: "edit" },
  } as const;

  test("shows what an edit will change, and each hunk that it has changed", () => {
    expect(shownCall(edit, "/w").content).toStrictEqual([
      { type: "diff", path: "/w/a.ts", oldText: "one", newText: "two" },
    ]);
    const diff = "@@ -1,2 +1,2 @@\n a\n-one\n+two\n@@ -9,1 +9,2 @@\n z\n+end";
    expect(shownResult(edit, { content: [], details: { diff } }, "/w")).toStrictEqual([
      { type: "diff", path: "/w/a.ts", oldText: "a\none\n", newText: "a\ntwo\n" },
      { type: "diff", path: "/w/a.ts", oldText: "z\n", newText: "z\nend\n" },
    ]);
  });

  test("fences the text of a builtin tool, and removes what a terminal would interpret", () => {
    const bash = { toolName: "bash", args: {}, label: { kind: "command", verb: "$" } } as const;
    const result = { content: [{ type: "text", text: "```\n\u001b[31mred\u001b[0m" }] } as const;
    expect(shownResult(bash, result, "/w")).toStrictEqual([
      { type: "content", content: { type: "text", text: "````\n```\nred\n````" } },
    ]);
  });
});
