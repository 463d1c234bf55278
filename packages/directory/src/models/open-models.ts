import { type Environment, isWithin } from "@mdx-ai/base";
import { installFolders, realPathOrSame } from "@mdx-ai/base/disk";
import {
  type Configuration,
  openConfiguredModels,
  openModel,
  parametersOf,
  type ResolvedConfiguration,
  resolveConfiguration,
} from "@mdx-ai/models";
import type { AgentDirectory, AgentSettings } from "@mdx-ai/parser";
import type { AgentOptions } from "@mdx-ai/runtime";
import { verifyFiles } from "@mdx-ai/sandbox/imports";
import type { FrontEnd } from "../front-end.ts";
import { packageOf } from "../imports/import-graph.ts";
import { type Manifest, modelPackages } from "../manifest/manifest.ts";
import { trustRecord } from "../trust/trust-state.ts";
import type { ReadDirectory } from "../trust/trusted-directory.ts";

/** The user's model options for one run. */
export interface ModelChoice {
  readonly flags: Configuration;
  /** A file with more options; its path as the user wrote it. */
  readonly configuration?: string;
}

/** The models to ask and their parameters, from all sources. Rejects with `ConfigurationError`. */
export function resolveModels(
  { flags, configuration }: ModelChoice,
  settings: AgentSettings,
  { environment, currentDirectory: cwd }: Pick<FrontEnd, "environment" | "currentDirectory">,
): Promise<ResolvedConfiguration> {
  const file = configuration === undefined ? {} : { file: configuration };
  return resolveConfiguration({ flags, environment, cwd, author: settings, ...file });
}

/** The models of an agent, and the parameters of their calls. */
export interface RunModels extends Pick<AgentOptions, "model" | "fallbacks" | "parameters" | "retries" | "secrets"> {
  /** Notices for the user, one line each. */
  readonly notices: readonly string[];
  /** How they were configured. */
  readonly resolved?: ResolvedConfiguration;
}

/** A choice of models, and whether the whole directory is trusted for this run. */
export interface ModelRun extends ModelChoice {
  readonly isTrusted: boolean;
}

/**
 * Opens the configured models of a run. AI SDK packages are resolved in the agent directory, if
 * its trust covers them, then beside this program; never in the untrusted current folder. `inherited` models stay open if the settings
 * name no others. Rejects as `resolveConfiguration` and `openConfiguredModels` do.
 */
export async function openModels(
  run: ModelRun,
  directory: ReadDirectory,
  frontEnd: FrontEnd,
  inherited?: RunModels,
): Promise<RunModels> {
  const { currentDirectory: cwd, environment } = frontEnd;
  const { settings } = directory.definition;
  const { resolved: above } = inherited ?? {};
  const isOwn = above === undefined || settings.model !== undefined;
  const own = await resolveModels(run, settings, frontEnd);
  const resolved = isOwn ? own : { ...own, models: above.models };
  if (inherited !== undefined && Bun.deepEquals(resolved.models, above?.models)) {
    return { ...inherited, notices: [], parameters: parametersOf(resolved), retries: resolved.retries.value, resolved };
  }
  // Another model of this run may need another vendor's key.
  const secrets = resolved.keys;
  if (secrets.length > 0) frontEnd.onSecrets(secrets);
  const folders = packageFolders(resolved.models, { run, directory, frontEnd });
  if (folders.length > 0 && directory.manifest !== undefined) verifyPackages(directory.manifest);
  const models = await openConfiguredModels(resolved, { cwd, environment, packageFolders: folders });
  return { ...models, secrets, parameters: parametersOf(resolved), retries: resolved.retries.value, resolved };
}

interface PackageSearch {
  readonly run: ModelRun;
  readonly directory: AgentDirectory;
  readonly frontEnd: FrontEnd;
}

/** Throws if a file of a package has changed since it was hashed. */
function verifyPackages({ hashes }: Manifest): void {
  verifyFiles([...hashes].filter(([path]) => packageOf(path) !== undefined));
}

/** The folders in which model packages are looked up. */
function packageFolders(models: ResolvedConfiguration["models"], search: PackageSearch): readonly string[] {
  const names = models.flatMap(({ target }) => (target.provider === "ai-sdk" ? [target.package] : []));
  if (names.length === 0) return [];
  return [search.directory.path, ...installFolders()].filter((folder) => mayLoadFrom(folder, names, search));
}

/**
 * Whether AI SDK packages are resolved in a folder. Packages in the agent directory are its code: only packages that
 * its trust covers run, which are those named in its settings, unless the whole directory is trusted.
 */
function mayLoadFrom(folder: string, names: readonly string[], { run, directory, frontEnd }: PackageSearch): boolean {
  if (!isWithin(realPathOrSame(directory.path), realPathOrSame(folder))) return true;
  const covered = modelPackages(directory.definition.settings);
  if (names.every((name) => covered.includes(name))) return true;
  return run.isTrusted || trustRecord(directory, frontEnd)?.edits === true;
}

/** For commands that call no model. Needs no key and no configuration. */
export async function openNoModel(environment: Environment): Promise<RunModels> {
  return { model: await openModel("offline", { environment }), notices: [] };
}
