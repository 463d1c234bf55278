import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { Surroundings } from "@mdx-ai/directory";
import { UsageError } from "../failures/program-error.ts";
import type { ParsedArguments } from "./command-spec.ts";

/** The options that every command understands in the same way. */
type UserOptions = Pick<Surroundings, "user" | "skillFolders">;

/** Reads `--user` and `--skills-dir`. Rejects with `UsageError`. */
export async function readUserOptions(
  { values, lists }: ParsedArguments,
  place: Pick<Surroundings, "currentDirectory">,
): Promise<UserOptions> {
  const user = values.get("user");
  const folders = lists.get("skills-dir");
  if (user !== undefined) await checkUser(user);
  return {
    ...(user !== undefined && { user }),
    ...(folders !== undefined && { skillFolders: folders.map((folder) => skillFolder(folder, place)) }),
  };
}

/** A user is a folder, so that the same names are possible as for sessions. */
async function checkUser(user: string): Promise<void> {
  const { idRefusal } = await import("@mdx-ai/runtime");
  const reason = idRefusal(user);
  if (reason === undefined) return;
  const name = JSON.stringify(user.slice(0, 40));
  throw new UsageError(`bad user ${name}: ${reason}; use letters, digits, ".", "_" and "-", such as --user alice`);
}

function skillFolder(given: string, { currentDirectory }: Pick<Surroundings, "currentDirectory">): string {
  const folder = resolve(currentDirectory, given);
  if (given !== "" && statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder;
  throw new UsageError(`--skills-dir ${given === "" ? '""' : folder} is not a folder`);
}
