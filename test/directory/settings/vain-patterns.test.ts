import { describe, expect, test } from "bun:test";
import { runSettings } from "@mdx-ai/directory";
import { readAgentDirectory } from "@mdx-ai/parser";
import { writeFiles } from "../../support/agent-files.ts";
import { surroundingsIn } from "../../support/front-end.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { agentWith, typedTool } from "../../support/type-check.ts";

const AGENT = agentWith(typedTool("deploy", "", "export const execute = () => 1;"));

interface Flags {
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
}

/** The warnings about the flags of a run; the agent also has these files. */
async function warnings({ allow = [], deny = [] }: Flags, files = {}): Promise<readonly string[]> {
  using home = temporaryDirectory();
  const directory = await readAgentDirectory(writeFiles(home.path, { "agent.mdx": AGENT, ...files }));
  const frontEnd = surroundingsIn(home.path);
  await runSettings({ allow, deny, allowsAll: false, isEphemeral: true }, directory, frontEnd);
  return frontEnd.notices.flatMap((notice) => (notice.type === "warning" ? notice.text : []));
}

describe("a flag that names a tool which the agent does not have is reported:", () => {
  test.each<readonly [flags: Flags, lines: readonly string[]]>([
    [{}, []],
    [{ allow: ["bash", "read_file(~/a)"], deny: ["deploy(to=prod*)", "write_file"] }, []],
    [{ allow: ["*", "mcp.*", "dep?oy"] }, []],
    [{ deny: ["bsh"] }, ["--deny bsh matches no tool of this agent; did you mean `bash`?"]],
    [
      { allow: ["Bash(git *)", "kubectl"] },
      [
        "--allow Bash(git *) matches no tool of this agent; did you mean `bash`?",
        "--allow kubectl matches no tool of this agent; its tools are bash, read_file, write_file, deploy",
      ],
    ],
  ])("of %j", async (flags, lines) => {
    expect(await warnings(flags)).toStrictEqual([...lines]);
  });

  test("and nothing where modules may add tools", async () => {
    expect(await warnings({ deny: ["search"] }, { "modules/a.ts": "export default {};\n" })).toStrictEqual([]);
  });
});
