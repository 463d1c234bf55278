import { basename, extname, resolve } from "node:path";
import { defined } from "@mdx-ai/base";
import type { FrontEnd, OpenDirectory, OpenDirectoryOptions, RunOptions } from "@mdx-ai/directory";
import { plainLine } from "@mdx-ai/directory/text";
import type { AgentSource } from "@mdx-ai/server/http";
import type { CommandContext } from "../command-context.ts";
import { WAITING, whenFilesAreFree } from "./file-shortage.ts";

/** An agent of a directory. */
export interface DirectorySource extends AgentSource {
  readonly directory: string;
}

interface SourceOptions {
  /** Aborts what opens an agent. */
  readonly signal: AbortSignal;
  /** Called after files of an agent have changed and were loaded. */
  readonly onReloaded?: (() => void) | undefined;
  /** The agents that are open already, by their directories. */
  readonly open?: ReadonlyMap<string, OpenDirectory>;
}

/**
 * The agents of directories, each with a name from its folder. `run` applies to all; sessions are chosen by requests, and questions wait
 * without end unless it says otherwise. An agent that is open already is offered as it is to a person without a user's name; its owner
 * closes it.
 */
export function agentSources(
  directories: readonly string[],
  { answersWithin = Number.POSITIVE_INFINITY, wakes = true, ...run }: ServedRun,
  context: CommandContext,
  { open, ...events }: SourceOptions,
): readonly DirectorySource[] {
  const served = { ...run, session: "main", answersWithin };
  const names: string[] = [];
  return directories.map((directory) => {
    const name = freeName(agentName(directory, context), names);
    names.push(name);
    const own = open?.get(directory);
    return {
      ...{ name, directory },
      open: async (user) =>
        own !== undefined && user === undefined
          ? lent(own)
          : openFor(user, { ...served, directory, wakes }, context, events),
    };
  });
}

/** The same agent, which its owner closes. */
const lent = (open: OpenDirectory): OpenDirectory => ({
  ...open,
  get directory() {
    return open.directory;
  },
  close: async () => {},
});

/** The options of all agents of a server. */
interface ServedRun extends Omit<RunOptions, "directory"> {
  /** Whether their heartbeats run in this process. Default: true. */
  readonly wakes?: boolean;
}

/** The name of a directory's agent in addresses. */
export const agentName = (directory: string, { currentDirectory }: Pick<CommandContext, "currentDirectory">): string =>
  folderName(resolve(currentDirectory, directory));

/** A name for addresses: letters, digits, `.`, `_` and `-`. */
function folderName(path: string): string {
  const file = basename(path).toLowerCase() === "agent.mdx" ? resolve(path, "..") : path;
  const ending = /^\.(md|markdown)$/i.test(extname(file)) ? extname(file) : "";
  return (
    basename(file, ending)
      .replace(/[^\p{L}\p{N}._-]+/gu, "-")
      .replace(/^[.-]+/, "") || "agent"
  );
}

function freeName(name: string, taken: readonly string[]): string {
  const names = Array.from({ length: taken.length + 1 }, (_, at) => (at === 0 ? name : `${name}-${at + 1}`));
  return names.find((one) => !taken.includes(one)) ?? name;
}

/** The code that opens agents. */
export const loadOpening = (): Promise<
  [typeof import("@mdx-ai/directory"), typeof import("../asking/command-questions.ts")]
> => Promise.all([import("@mdx-ai/directory"), import("../asking/command-questions.ts")]);

async function openFor(
  user: string | undefined,
  { wakes, ...run }: RunOptions & Required<Pick<ServedRun, "wakes">>,
  context: CommandContext,
  { signal, onReloaded }: Omit<SourceOptions, "open">,
): Promise<OpenDirectory> {
  const frontEnd: FrontEnd = user === undefined ? context : { ...context, user };
  const [{ openDirectory, unattendedReload }, { trustOptions }] = await loadOpening();
  const say = (text: string): void =>
    void context.stderr.write(`mdx-ai: ${plainLine(context.keys.text(`${run.directory}: ${text}`))}\n`);
  const { askTrust } = trustOptions(context, signal);
  // Heartbeats are of the agent, not of each user.
  const { cwd: _here, workspace, ...others } = run;
  const working = { ...others, ...(workspace !== undefined && { cwd: workspace }) };
  const options: OpenDirectoryOptions = {
    ...{ run: working, frontEnd, signal, askTrust },
    wakes: wakes && user === undefined,
    onReload: unattendedReload({ ...run, say, ...defined({ onReloaded }) }),
  };
  const open = await whenFilesAreFree(() => openDirectory(run.directory, options), {
    ...{ signal, onWait: () => say(WAITING) },
  });
  askByDefault(open, run);
  return open;
}

/** People can answer questions, so the usual mode is to ask, as on a terminal. */
function askByDefault({ agent, settings }: OpenDirectory, { mode, allowsAll }: RunOptions): void {
  const isChosen = mode !== undefined || allowsAll || settings.permissions?.usualMode !== undefined;
  if (!isChosen && agent.mode === "edits") agent.setMode("ask");
}
