import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { shownPaths } from "@mdx-ai/permissions";
import { permissionBench } from "../support/permission-bench.ts";

type Options = Parameters<ReturnType<typeof permissionBench>["open"]>[0];

/** Whether a search below a folder of the agent shows a file. */
function shows(path: string, options: Options = {}, root = "."): boolean {
  using bench = permissionBench();
  return shownPaths(bench.open(options), "grep", join(bench.agentDir, root))(join(bench.agentDir, path));
}

describe("a search shows", () => {
  test.each([
    ["a file", "src/a.ts", {}, true],
    ["no variables", ".env", {}, false],
    ["no variables deeper", "a/b/.env.local", {}, false],
    ["an example of variables", ".env.example", {}, true],
    ["variables that the user allows", ".env", { user: { allow: ["read_file(.env)"] } }, true],
    ["no variables that the directory allows", ".env", { settings: { "read_file(.env)": "allow" } }, false],
    ["variables if nothing is asked", ".env", { user: { allowsAll: true } }, true],
    ["nothing that the user denies", "private/a.txt", { user: { deny: ["read_file(private/**)"] } }, false],
    ["nothing that the directory denies", "private/a.txt", { settings: { "read_file(private/**)": "deny" } }, false],
    ["nothing that is denied to this tool alone", "private/a.txt", { settings: { "grep(private/**)": "deny" } }, false],
    ["what is denied to another tool", "private/a.txt", { settings: { "glob(private/**)": "deny" } }, true],
    ["nothing that is asked about", "private/a.txt", { settings: { "read_file(private/**)": "ask" } }, false],
    ["files though each call is asked about", "a.txt", { settings: { grep: "ask", read_file: "ask" } }, true],
    ["nothing denied below --allow-all", "x/a", { user: { allowsAll: true, deny: ["read_file(x/**)"] } }, false],
  ] as const)("%s", (_name, path, options, expected) => {
    expect(shows(path, options)).toBe(expected);
  });

  test("what is in a folder that was asked about", () => {
    const options = { settings: { "read_file(private/**)": "ask" } } as const;
    expect(shows("private/a.txt", options, "private")).toBe(true);
    expect(shows("private/.env", options, "private")).toBe(false);
  });
});

describe("an edit", () => {
  test.each([
    ["of the directory", { settings: { write_file: "deny" } }, "the agent's settings deny write_file"],
    ["of the user", { user: { deny: ["write_file"] } }, "the user denies write_file"],
    ["of a path", { settings: { "write_file(a.txt)": "deny" } }, "the agent's settings deny write_file(a.txt)"],
  ] as const)("is denied with the denial to write %s", async (_name, options, reason) => {
    using bench = permissionBench();
    const args = { path: join(bench.agentDir, "a.txt") };
    const call = { type: "toolCall", id: "1", name: "save_note", arguments: args } as const;
    expect(await bench.judge(call, options)).toContain(reason);
  });
});
