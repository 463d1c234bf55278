import { describe, expect, test } from "bun:test";
import { vainPatterns } from "../../../packages/directory/src/settings/run-permissions.ts";
import { toolOf } from "../../support/tool-bench.ts";

const agent = { tools: [toolOf("", { name: "deploy" })], modules: [], settings: {} };

describe("a flag that names a tool which the agent does not have is reported:", () => {
  test.each<readonly [flags: { readonly allow?: string[]; readonly deny?: string[] }, lines: readonly string[]]>([
    [{}, []],
    [{ allow: ["bash", "read_file(~/a)"], deny: ["deploy(to=prod*)", "write_file"] }, []],
    [{ allow: ["*", "mcp.*", "dep?oy"] }, []],
    [{ deny: ["bsh"] }, ["--deny bsh names no tool of this agent; did you mean `bash`?"]],
    [
      { allow: ["Bash(git *)", "kubectl"] },
      [
        "--allow Bash(git *) names no tool of this agent; did you mean `bash`?",
        "--allow kubectl names no tool of this agent; its tools are bash, read_file, write_file, deploy",
      ],
    ],
  ])("of %j", async ({ allow = [], deny = [] }, lines) => {
    expect(await vainPatterns({ allow, deny }, agent)).toStrictEqual([...lines]);
  });

  test("and nothing where modules may add tools", async () => {
    const modules = ["modules/a.ts"];
    expect(await vainPatterns({ allow: [], deny: ["search"] }, { ...agent, modules })).toStrictEqual([]);
  });
});
