import { type PlacedRun, sessionWorkspaceOf } from "@mdx-ai/directory";
import type { AgentDirectory } from "@mdx-ai/parser";
import { lastSession, sessionSummary } from "@mdx-ai/runtime";
import { shellWord } from "@mdx-ai/runtime/files";
import { runWord } from "../arguments/directory-word.ts";

/** The run of a conversation that ends. */
export interface EndedRun {
  readonly run: PlacedRun;
  readonly directory: AgentDirectory;
  /** Whose session it is, if the user said so. */
  readonly user: string | undefined;
  /** The one that the user left. */
  readonly session: string;
  /** The current folder. Absolute. */
  readonly here: string;
}

/** The command line that continues a session, in a sentence to copy from; undefined if there is nothing in it. */
export function wayBack({ run, directory, session, here, user }: EndedRun): string | undefined {
  const summary = sessionSummary(run.data, session);
  if (summary.state === "readable" && summary.prompts === 0) return undefined;
  const workspace = sessionWorkspaceOf(run, directory);
  const isDefault = workspace === undefined && session === "main";
  const words = ["mdx-ai", runWord(run.directory), ...placeWords(run, here), ...userWords(user)];
  const line = [...words, ...(isDefault ? [] : ["--session", shellWord(session)])].join(" ");
  const isNewest = workspace !== undefined && lastSession(run.data, workspace) === session;
  return `Continue with: ${line}${isNewest ? " (or -c, while it is the newest here)" : ""}`;
}

const userWords = (user: string | undefined): readonly string[] =>
  user === undefined ? [] : ["--user", shellWord(user)];

/** The options that say where the session is, and where it works. */
const placeWords = ({ workspace, dataOption }: PlacedRun, here: string): readonly string[] => [
  ...(dataOption === undefined ? [] : ["--data", shellWord(dataOption)]),
  ...(workspace === undefined ? [] : workspace === here ? ["-w"] : ["--workspace", shellWord(workspace)]),
];
