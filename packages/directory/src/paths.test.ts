import { expect, test } from "bun:test";
import { chmodSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { writeFiles } from "../../../test/support/agent-files.ts";
import { temporaryDirectory } from "../../../test/support/temporary-directory.ts";
import { agentFolder } from "./paths.ts";

const SHELF = ".local/share/mdx-ai/agents";

/** A home folder in which an agent `tea` was added. */
function homeWithTea() {
  const home = temporaryDirectory();
  writeFiles(home.path, { [`${SHELF}/tea/versions/1/agent.mdx`]: "# Agent: Tea" });
  symlinkSync("versions/1", join(home.path, SHELF, "tea/current"));
  const place = { currentDirectory: home.path, environment: { HOME: home.path } };
  return { home, place, added: join(home.path, SHELF, "tea/versions/1"), own: join(home.path, "tea") };
}

test("a name is that of an added agent where no agent is", () => {
  const { home, place, added, own } = homeWithTea();
  using _ = home;
  expect(agentFolder("tea", place)).toBe(added);
  writeFiles(home.path, { "tea/notes.txt": "" });
  expect(agentFolder("tea", place)).toBe(added);
  writeFiles(home.path, { "tea/agent.mdx": "# Agent: Own" });
  expect(agentFolder("tea", place)).toBe(own);
});

test("a link to itself is not replaced by an added agent", () => {
  const { home, place, own } = homeWithTea();
  using _ = home;
  symlinkSync("tea", own);
  expect(agentFolder("tea", place)).toBe(own);
});

test("a folder that cannot be entered is not replaced by an added agent", () => {
  const { home, place, own } = homeWithTea();
  using _ = home;
  writeFiles(home.path, { "tea/agent.mdx": "# Agent: Own" });
  chmodSync(home.path, 0o755);
  chmodSync(own, 0);
  // Root may enter every folder, so a child of root becomes somebody else.
  const script = `import { agentFolder } from "./paths.ts";
    if (process.getuid?.() === 0) process.setuid(65534);
    console.log(agentFolder("tea", ${JSON.stringify(place)}));`;
  const child = Bun.spawnSync([process.execPath, "--no-install", "-e", script], { cwd: import.meta.dir });
  chmodSync(own, 0o755);
  expect(child.stdout.toString().trim()).toBe(own);
});
