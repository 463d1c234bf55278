import { describe, expect, test } from "bun:test";
import { coding, opened } from "../../support/offered-builtins.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

describe("the builtin tools of an agent", () => {
  test.each([
    ["", ["bash", "read_file", "write_file"]],
    ["builtins: coding", coding],
    ["builtins: aiagent", ["fs.list", "fs.read", "fs.write", "shell.exec"]],
    ["builtins: [aiagent, grep, Edit]", ["edit_file", "grep", "fs.list", "fs.read", "fs.write", "shell.exec"]],
    ["builtins: [bash_output, bash, bash_stop]", ["bash", "bash_output", "bash_stop"]],
    ["builtins: [bash_output, grep]", ["grep"]],
    ["builtins: off", []],
    ["builtins: coding\ntools: [grep, bash]", ["bash", "grep"]],
  ])("are by %p", async (settings, expected) => {
    expect((await opened({ settings })).names).toEqual(expected);
  });

  test("are all for code in a workspace", async () => {
    using workspace = temporaryDirectory();
    const options = { workspace: workspace.path };
    expect((await opened({ options })).names).toEqual(coding);
    expect((await opened({ options, settings: "builtins: [bash]" })).names).toEqual(["bash"]);
  });

  test("include web_search if the user has an endpoint", async () => {
    const options = { webSearch: { url: "http://localhost:1/" } };
    expect((await opened({ options, settings: "builtins: coding" })).names).toEqual(
      coding.toSpliced(-1, 0, "web_search"),
    );
  });

  test("of aiagent are sent under names that providers accept", async () => {
    const calls = [{ id: "1", name: "fs_read", arguments: { path: "agent.mdx" } }];
    const { results } = await opened({ settings: "builtins: aiagent", replies: [{ calls }] });
    expect(results[0]).toStartWith("---\nname: X");
  });
});
