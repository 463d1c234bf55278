import { join } from "node:path";
import { writeFiles } from "./agent-files.ts";
import { runCommandLine } from "./run-command-line.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

/** An error, a warning and a note in three files; one has a name that each format must escape. */
export const FILES = {
  ".claude/settings.json": '{"permissions": {"allow": ["Bash(rm 100%,\\n:x)*"]}}\n',
  ".claude/commands/a, b: 50%.md": "---\ndescription: x\n---\n",
  ".claude/agents/a.md": "---\nname: a\ndescription: b\nflavour: mint\n---\nGo.\n",
};

/** Checks files of a project; `variables` name paths in the home folder. */
export async function check(
  args: readonly string[],
  files: Readonly<Record<string, string>> = FILES,
  variables: Readonly<Record<string, string>> = {},
): ReturnType<typeof runCommandLine> {
  using home = temporaryDirectory();
  writeFiles(join(home.path, "repo/project"), files);
  const environment = Object.fromEntries(
    Object.entries(variables).map(([name, path]) => [name, join(home.path, path)]),
  );
  return await runCommandLine(["check", ...args], {
    home: home.path,
    cwd: join(home.path, "repo/project"),
    environment,
  });
}
