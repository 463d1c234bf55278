import {
  accessOf,
  type Environment,
  type ModelParameters,
  openConfiguredModels,
  openModel,
  type ResolvedConfiguration,
} from "@mdx-ai/models";
import type { AgentDirectory } from "@mdx-ai/parser";
import { isWithin } from "@mdx-ai/parser/is-within";
import type { AgentOptions } from "@mdx-ai/runtime";
import { packageOf, verifyImports } from "@mdx-ai/runtime/imports";
import type { CommandContext } from "../command-context.ts";
import type { Manifest } from "../manifest/manifest.ts";
import { modelPackages, packageOfModel } from "../manifest/model-packages.ts";
import { programFolders } from "../places/program-folders.ts";
import { realFolder } from "../places/user-directories.ts";
import { trustRecord } from "../trust/trust-state.ts";
import type { AgentRun } from "./agent-run.ts";
import { resolveRun } from "./resolve-run.ts";

/** The models of an agent, and how they are called. */
export interface RunModels extends Pick<AgentOptions, "model" | "fallbacks" | "parameters" | "retries" | "secrets"> {
  /** What a user should know: one line each. */
  readonly notices: readonly string[];
}

/** An agent directory, and what it contained when the user trusted it. */
type ReadDirectory = AgentDirectory & { readonly manifest?: Manifest };

/**
 * Opens the models that a run is configured with. Packages of the AI SDK are looked for in the agent directory, as far as
 * its trust covers them, then beside this program; never in the current folder, which nobody has trusted. Rejects as `resolveConfiguration` and `openConfiguredModels` do.
 */
export async function openModels(run: AgentRun, directory: ReadDirectory, context: CommandContext): Promise<RunModels> {
  const { currentDirectory: cwd } = context;
  const resolved = await resolveRun(run, directory.definition.settings, context);
  const secrets = resolved.models.flatMap((model) => accessOf(model)?.key?.value ?? []);
  context.keys.learn(secrets);
  const folders = packageFolders(resolved.models, { run, directory, context });
  if (folders.length > 0 && directory.manifest !== undefined) verifyPackages(directory.manifest);
  const models = await openConfiguredModels(resolved, { cwd, packageFolders: folders });
  return { ...models, secrets, parameters: parametersOf(resolved), retries: resolved.retries.value };
}

interface PackageSearch {
  readonly run: AgentRun;
  readonly directory: AgentDirectory;
  readonly context: CommandContext;
}

/** Throws if a file of a package has changed since it was hashed. */
function verifyPackages({ hashes }: Manifest): void {
  const ofPackages = [...hashes].filter(([path]) => packageOf(path) !== undefined);
  verifyImports({ hashes: new Map(ofPackages), links: [], absent: [] });
}

/** Where the packages of models are looked for. */
function packageFolders(models: ResolvedConfiguration["models"], search: PackageSearch): readonly string[] {
  const names = models.flatMap(({ reference }) => packageOfModel(reference.value) ?? []);
  if (names.length === 0) return [];
  return [search.directory.path, ...programFolders()].filter((folder) => mayLoadFrom(folder, names, search));
}

/**
 * Whether packages of the AI SDK are looked for in a folder. What lies in the agent directory is its code: of that only what
 * its trust covers runs, which is the packages that its own settings name, unless all of it is trusted.
 */
function mayLoadFrom(folder: string, names: readonly string[], { run, directory, context }: PackageSearch): boolean {
  if (!isWithin(realFolder(directory.path), realFolder(folder))) return true;
  const covered = modelPackages(directory.definition.settings);
  if (names.every((name) => covered.includes(name))) return true;
  return run.isTrusted || trustRecord(directory.path, context)?.edits === true;
}

function parametersOf(resolved: ResolvedConfiguration): ModelParameters {
  const { temperature, max_tokens: maxTokens, thinking, reasoning_effort: effort, stream } = resolved;
  return {
    ...(temperature !== undefined && { temperature: temperature.value }),
    ...(maxTokens !== undefined && { maxTokens: maxTokens.value }),
    ...(thinking !== undefined && { thinking: thinking.value }),
    ...(effort !== undefined && { effort: effort.value }),
    stream: stream.value,
  };
}

/** For commands that call no model; needs neither key nor configuration. */
export async function openNoModel(environment: Environment): Promise<RunModels> {
  return { model: await openModel("offline", { environment }), notices: [] };
}
