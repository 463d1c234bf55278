import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { toolText } from "../../support/agent-directory.ts";
import { writeFiles } from "../../support/agent-files.ts";
import { coding, opened } from "../../support/offered-builtins.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

describe("the builtin tools of an agent", () => {
  test("give way to tools of the agent's own files with their names", async () => {
    const files = {
      "modules/one.ts": `export default {
        describe: () => ({ name: "one", description: "One" }),
        initialize: async () => {},
        tools: () => [{ name: "glob", description: "own", parameters: { type: "object" }, execute: async () => "own glob" }],
      };`,
    };
    const tools = toolText("grep", "return 'own grep';");
    const calls = ["grep", "glob"].map((name) => ({ id: name, name, arguments: { text: "x" } }));
    const { names, results } = await opened({ settings: "builtins: coding", files, tools, replies: [{ calls }] });
    expect(names.toSorted()).toEqual(coding.toSorted());
    expect(results).toEqual(["own glob", "own grep"]);
  });

  test("of a coder search, edit and read in its workspace", async () => {
    using workspace = temporaryDirectory();
    writeFiles(workspace.path, { "src/a.ts": "const answer = 41;\n", ".env": "answer = 42\n" });
    const edits = [{ old: "41", new: "42" }];
    const calls = [
      { id: "1", name: "grep", arguments: { pattern: "answer" } },
      { id: "2", name: "list_files", arguments: { depth: 2 } },
    ];
    const { results } = await opened({
      options: {
        workspace: workspace.path,
        cwd: workspace.path,
        permissions: { allowsAll: false, allow: ["write_file"] },
      },
      replies: [{ calls }, { calls: [{ id: "3", name: "edit_file", arguments: { path: "src/a.ts", edits } }] }],
    });
    expect(results).toEqual([
      `edited ${workspace.path}/src/a.ts: 1 replacement, now line 1`,
      "src/\nsrc/a.ts",
      "src/a.ts\n1: const answer = 41;",
    ]);
    expect(readFileSync(join(workspace.path, "src/a.ts"), "utf8")).toBe("const answer = 42;\n");
  });
});
