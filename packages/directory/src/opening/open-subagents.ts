import { join } from "node:path";
import { dataLayout, defined, sha256 } from "@mdx-ai/base";
import type { SubagentDefinition } from "@mdx-ai/parser";
import type { OpenSubagent, ParentAgent, Subagent } from "@mdx-ai/runtime";
import { idRefusal } from "@mdx-ai/sessions";
import { DirectoryError } from "../directory-error.ts";
import { type FrontEnd, warn } from "../front-end.ts";
import type { AgentContents } from "../manifest/manifest.ts";
import type { RunModels } from "../models/open-models.ts";
import { subagentPath } from "../reading/read-subagents.ts";
import { trustedPath } from "../trust/trust-state.ts";
import type { ReadDirectory } from "../trust/trusted-directory.ts";
import type { OpenDirectory, OpenOptions } from "./open-options.ts";
import { type PreparedRun, prepareRun } from "./prepare-run.ts";
import type { RunOptions } from "./run-options.ts";

/** A run whose agent calls agents. */
export interface CallingRun {
  readonly run: PreparedRun;
  readonly options: OpenOptions;
  readonly models: RunModels;
  /** Is `openRun`. */
  open(run: PreparedRun, options: OpenOptions): Promise<OpenDirectory>;
}

/** The agents that work for an agent, to be opened with their first calls: from what was read and trusted with it. */
export function subagentsOf(calling: CallingRun): readonly Subagent[] {
  const { run, options } = calling;
  const { directory } = run;
  const { definition } = directory;
  return (definition.agents ?? []).map((agent) => {
    const path = subagentPath(directory, agent, options.frontEnd);
    return {
      ...{ name: agent.name, description: agent.description, isBackground: agent.background === true },
      folder: contentsOf(directory, path)?.path ?? path,
      open: (parent) => openSubagent({ ...calling, agent, path }, parent),
    };
  });
}

/** An agent of the tree that the user trusts: with the agents that may work for it. */
function contentsOf(root: ReadDirectory, path: string): ReadDirectory | undefined {
  const { manifest } = root;
  if (manifest === undefined) return root.subagents?.get(path);
  const own: AgentContents = { directory: root, manifest };
  const all = new Map([...manifest.agents, [trustedPath(root), own]]);
  const found = all.get(path);
  return found && { ...found.directory, manifest: { ...found.manifest, agents: all } };
}

interface Opening extends CallingRun {
  readonly agent: SubagentDefinition;
  readonly path: string;
}

/** Opens an agent for the session that calls it. Rejects as `prepareRun` and `open` do. */
async function openSubagent(
  { run, options, models, open, agent, path }: Opening,
  parent: ParentAgent,
): Promise<OpenSubagent> {
  const directory = contentsOf(run.directory, path);
  if (directory === undefined)
    throw new DirectoryError("untrusted", `${path} was not read with the agent that calls it`);
  const { user: _user, skillFolders: _skills, moreSkills: _more, ownsConsole: _console, ...others } = options.frontEnd;
  const frontEnd: FrontEnd = { ...others, onNotice: () => {} };
  const prepared = await prepareRun(runOf(run, agent, parent, path), directory, frontEnd);
  const onWarning = (text: string): void => warnOf(options)(`agent ${agent.name}: ${text}`);
  const { signal, model, onServerQuestion, onSignIn, waitsForServers, resumesUntrusted } = options;
  const { hooks } = run.directory.definition.settings;
  const above = (options.callerHooks ?? []).map((source) => ({ ...source, agent: `${source.agent} › ${agent.name}` }));
  const callerHooks = [...(hooks === undefined ? [] : [{ hooks, agent: agent.name }]), ...above];
  return open(prepared, {
    ...{ frontEnd, signal, parent, inherited: models, wakes: false, onWarning, callerHooks },
    ...defined({ model, onServerQuestion, onSignIn, waitsForServers, resumesUntrusted }),
  });
}

/** A run of the agent with the user's options for the calling one. Its data is below that of the calling agent. */
function runOf(
  { options, data }: PreparedRun,
  { name }: SubagentDefinition,
  { workspace }: ParentAgent,
  path: string,
): RunOptions {
  const { data: _data, session: _session, isExisting: _existing, answersWithin: _within, ...others } = options;
  return {
    ...others,
    ...{ directory: path, workspace, session: "main", isContinued: false, isResumed: false, isWaiting: false },
    ...(!options.isEphemeral && { data: join(dataLayout(data).agents, folderOf(name)) }),
  };
}

/** A unique name for a folder that every file system accepts. */
const folderOf = (name: string): string =>
  idRefusal(name) === undefined && /^[a-z\d._-]+$/.test(name)
    ? name
    : `${name.replace(/[^\w-]+/g, "-").slice(0, 40)}-${sha256(name).slice(0, 8)}`;

const warnOf = ({ onWarning, frontEnd }: OpenOptions): ((text: string) => void) => onWarning ?? warn(frontEnd);
