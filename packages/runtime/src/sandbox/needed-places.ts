import { isWithin } from "@mdx-ai/parser/is-within";
import { isFolder } from "../files/real-place.ts";
import { isSystem } from "./homes.ts";

/** Without these, no program starts. */
export const NEEDED: readonly string[] = ["/bin", "/lib", "/lib32", "/lib64", "/nix", "/sbin", "/usr"];

/** The paths that must be visible in a sandbox. All absolute and real. */
export interface NeededPlaces {
  readonly agentDir: string;
  /** The files that a process of this program must see. */
  readonly program: readonly string[];
}

/**
 * Whether programs or the agent need a real path or its contents, so that it stays visible although a link leads there whose
 * name would have it hidden: a command may have made that link. Single files of /etc can be hidden.
 */
export function isNeeded(path: string, { agentDir, program }: NeededPlaces): boolean {
  const isAround = [agentDir, ...program].some((place) => isWithin(path, place));
  const isOfProgram = program.some((place) => isWithin(place, path));
  return isAround || isOfProgram || (isSystem(path) && (isFolder(path) || !isWithin("/etc", path)));
}
