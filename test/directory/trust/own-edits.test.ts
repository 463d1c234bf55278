import { expect, test } from "bun:test";
import { chmodSync, chownSync, mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { trustDirectory } from "@mdx-ai/directory";
import { GREETING_AGENT, writeFiles } from "../../support/agent-files.ts";
import { surroundingsIn } from "../../support/front-end.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const FILES = {
  "agent.mdx": GREETING_AGENT,
  "modules/clock.ts": 'import "../code/deep/part.ts";\nimport "../../shared/more.ts";\nexport default {};',
  "code/deep/part.ts": "export {};",
  "../shared/more.ts": "export {};",
  "notes/note.txt": "not a part of it",
};

/** An agent two folders below a sticky folder that everybody can write to. */
function steadyAgent(root: string): string {
  const directory = join(root, "shared-by-all/mine/agent");
  mkdirSync(directory, { recursive: true });
  writeFiles(directory, FILES);
  chmodSync(join(root, "shared-by-all"), 0o1777);
  return realpathSync(directory);
}

/** Trusts a directory with its edits; rejects if others could make some. */
async function requireExclusiveEdits(directory: string): Promise<void> {
  using home = temporaryDirectory();
  await trustDirectory(directory, { edits: "required" }, surroundingsIn(home.path));
}

test("a directory that its user alone can write to, below a sticky folder: its edits are the user's", async () => {
  using folder = temporaryDirectory();
  const directory = steadyAgent(folder.path);
  chmodSync(join(directory, "notes"), 0o777);
  await requireExclusiveEdits(directory);
});

test.each([
  ".",
  "agent.mdx",
  "modules",
  "modules/clock.ts",
  "code",
  "code/deep/part.ts",
  "..",
  "../../../shared-by-all",
  "../shared/more.ts",
  "../shared",
])("others that can write to %s could edit it: refused, with the command to run", async (path) => {
  using folder = temporaryDirectory();
  const directory = steadyAgent(folder.path);
  const shared = join(directory, path);
  chmodSync(shared, 0o777);
  const message = `${shared} can be written by others; check what is in it, then run: chmod go-w ${shared}`;
  await expect(requireExclusiveEdits(directory)).rejects.toThrow(message);
});

test.skipIf(process.getuid?.() !== 0)("a file of another user is not root's", async () => {
  using folder = temporaryDirectory();
  const directory = steadyAgent(folder.path);
  chownSync(join(directory, "agent.mdx"), 65_534, 65_534);
  await expect(requireExclusiveEdits(directory)).rejects.toThrow("agent.mdx belongs to another user");
});
