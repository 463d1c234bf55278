import { lstatSync } from "node:fs";
import { join } from "node:path";
import { isWithin } from "@mdx-ai/base";
import { GIT, type Repository, repositoryAround } from "./git-folders.ts";
import { type HomeQuestion, homeFolders, isSystem } from "./homes.ts";

interface HomesOfPeople extends Pick<HomeQuestion, "environment"> {
  /** The file of the system's accounts; /etc/passwd if absent. Absolute. */
  readonly accounts?: string | undefined;
}

/** Whether a folder is neither of the system nor a home, and holds no home. Absolute and real. */
export function isOpenFolder(folder: string, { environment, accounts = "/etc/passwd" }: HomesOfPeople): boolean {
  const { own, others } = homeFolders({ environment, accounts });
  return !isSystem(folder) && ![...own, ...others].some((home) => isWithin(folder, home));
}

/**
 * The repository around a workspace whose files may be read with it. Undefined if there is none, and if its folder is a home,
 * holds one, belongs to the system or to somebody else: anybody can make a `.git` in a folder that people share, and
 * a repository of all settings is often a home. `workspace` is absolute and real.
 */
export function openRepository(workspace: string, homes: HomesOfPeople): Repository | undefined {
  const found = repositoryAround(workspace);
  return found && isOpenFolder(found.root, homes) && isOfUser(found.root, workspace) ? found : undefined;
}

/** As git does, trusts only what belongs to the user. Root works in folders of others: there, what belongs to the same owner. */
function isOfUser(root: string, workspace: string): boolean {
  const user = process.getuid?.();
  const trusted = user === ROOT ? [user, ownerOf(workspace)] : [user];
  return root === workspace || [root, join(root, GIT)].every((path) => trusted.includes(ownerOf(path)));
}

const ownerOf = (path: string): number | undefined => lstatSync(path, { throwIfNoEntry: false })?.uid;

const ROOT = 0;
