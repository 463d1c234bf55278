import { lstatSync } from "node:fs";
import { join } from "node:path";
import { isWithin } from "@mdx-ai/base";
import { GIT, type Repository, repositoryAround } from "./git-folders.ts";
import { type HomeQuestion, homeFolders, isSystem } from "./homes.ts";

interface HomesOfPeople extends Pick<HomeQuestion, "environment"> {
  /** The file of the system's accounts. Absolute. Default: /etc/passwd. */
  readonly accounts?: string | undefined;
}

/** Whether a folder is not a system folder or a home, and contains no home. Absolute and real. */
export function isOpenFolder(folder: string, { environment, accounts = "/etc/passwd" }: HomesOfPeople): boolean {
  const { own, others } = homeFolders({ environment, accounts });
  return !isSystem(folder) && ![...own, ...others].some((home) => isWithin(folder, home));
}

/**
 * The repository that contains a workspace and whose files may be read with it. Undefined if there is none, or if its folder is
 * or contains a home, belongs to the system, or belongs to another user: anyone can create `.git` in a shared folder, and a
 * repository of dotfiles is often a home. `workspace` is absolute and real.
 */
export function openRepository(workspace: string, homes: HomesOfPeople): Repository | undefined {
  const found = repositoryAround(workspace);
  return found && isOpenFolder(found.root, homes) && isOfUser(found.root, workspace) ? found : undefined;
}

/** Like git, trusts only folders of the same user. Root works in folders of others: there, the owner must be the same. */
function isOfUser(root: string, workspace: string): boolean {
  const user = process.getuid?.();
  const trusted = user === ROOT ? [user, ownerOf(workspace)] : [user];
  return root === workspace || [root, join(root, GIT)].every((path) => trusted.includes(ownerOf(path)));
}

const ownerOf = (path: string): number | undefined => lstatSync(path, { throwIfNoEntry: false })?.uid;

const ROOT = 0;
