import { expect, test } from "bun:test";
import { join } from "node:path";
import { type AskTrust, DirectoryError } from "@mdx-ai/directory";
import { lockEntries } from "@mdx-ai/directory/lock";
import { writeFiles, writeText } from "../../../../test/support/agent-files.ts";
import { agentText, team, teamModel } from "../../../../test/support/team.ts";
import { entryName } from "../manifest/manifest.ts";
import { readManifest } from "../manifest/read-manifest.ts";
import { readDirectory } from "../reading/read-directory.ts";
import { contentsLines } from "./directory-contents.ts";

const agent = (command: string): string =>
  agentText(
    "lead",
    "",
    `hooks:\n  PreToolUse: [{matcher: Bash, hooks: [{type: command, command: ${JSON.stringify(command)}}]}]`,
  );

const always: AskTrust = async () => "always";

const refused = (error: unknown): unknown => error;

test.each([
  ["its command", '"$CLAUDE_PROJECT_DIR"/hooks/guard.sh', { "lead/agent.mdx": agent("hooks/other.sh") }],
  ["its script", '"$CLAUDE_PROJECT_DIR"/hooks/guard.sh', { "lead/hooks/guard.sh": "#!/bin/sh\nexit 0\n" }],
  ["what an interpreter runs", "cat | python3 hooks/guard", { "lead/hooks/guard": "print(1)\n" }],
  ["a new program beside it", "./hooks/guard.sh", { "lead/hooks/more.sh": "#!/bin/sh\n" }],
])("a hook is trusted like code: a change of %s asks again", async (_title, command, changed) => {
  using folder = team({
    "lead/agent.mdx": agent(command),
    "lead/hooks/guard.sh": "#!/bin/sh\nexit 2\n",
    "lead/hooks/guard": "print(0)\n",
    "lead/notes.txt": "a",
  });
  const open = (askTrust?: AskTrust) =>
    folder.open(teamModel({ lead: ["hi"] }), { ...(askTrust && { askTrust }), run: { isTrusted: false } });
  await (await open(always)).close();
  writeText(join(folder.path, "notes.txt"), "b");
  await (await open()).close();
  writeFiles(folder.folder, changed);
  expect(await open().catch(refused)).toBeInstanceOf(DirectoryError);
});

test("a hook of a Markdown file in agents/ is trusted like code, too", async () => {
  const helper = (command: string): string =>
    `---\ndescription: Helps\nhooks: {Stop: [{hooks: [{type: command, command: ${command}}]}]}\n---\nBe helper.\n`;
  using folder = team({ "lead/agent.mdx": agentText("lead"), "lead/agents/helper.md": helper("one") });
  const open = (askTrust?: AskTrust) =>
    folder.open(teamModel({ lead: ["hi"] }), { ...(askTrust && { askTrust }), run: { isTrusted: false } });
  await (await open(always)).close();
  await (await open()).close();
  writeText(join(folder.path, "agents/helper.md"), helper("another"));
  expect(await open().catch(refused)).toBeInstanceOf(DirectoryError);
});

test("the question about trust and the lock show the commands of hooks", async () => {
  using folder = team({ "lead/agent.mdx": agent("./guard.sh") });
  const directory = await readDirectory("lead", folder.frontEnd);
  expect((await lockEntries(directory)).map(entryName)).toContain('hook PreToolUse "Bash"');
  expect(contentsLines(await readManifest(directory))).toContain('hooks: PreToolUse "Bash" (./guard.sh)');
});
