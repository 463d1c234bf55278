import { existsSync } from "node:fs";
import { isAbsolute, join, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { oneLine, recordOf, redactKeys } from "@mdx-ai/base";
import { MissingKeyError, ModelError } from "../errors.ts";
import type { LanguageModel } from "../types/language-model.ts";
import { isAiSdkModel } from "./ai-sdk-model.ts";
import { missingVariable } from "./failures.ts";
import { fromAiSdk } from "./from-ai-sdk.ts";

const longestText = 500;

export interface PackageModelOptions {
  /** Folders whose `node_modules` may contain the package; parent folders are not searched. Absolute. */
  readonly folders: readonly string[];
  /** Seconds of silence after which an answer counts as broken. */
  readonly timeout?: number;
}

/**
 * Opens a model of an installed AI SDK provider. Runs the package's code; installs nothing. The package reads its key and settings from
 * this process's environment, usually at the first request. Rejects with `ModelError`, or `MissingKeyError` if the package needs its key at
 * once.
 */
export async function openPackageModel(
  packageName: string,
  name: string,
  { folders, timeout }: PackageModelOptions,
): Promise<LanguageModel> {
  const secrets = secretsOf(process.env);
  const url = findPackage(packageName, folders);
  try {
    const model = packageProvider(await import(url), packageName).languageModel(name);
    if (!isAiSdkModel(model))
      throw new ModelError(`${packageName} returned no language model for ${JSON.stringify(name)}`);
    return fromAiSdk(model, { secrets, ...(timeout !== undefined && { timeout }) });
  } catch (thrown) {
    throw openFailure(thrown, { packageName, name, secrets });
  }
}

/** The values of variables whose names suggest a key. */
function secretsOf(environment: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.entries(environment).flatMap(([name, value]) =>
    value !== undefined && /(?:KEY|TOKEN|SECRET|PASSWORD)S?$/i.test(name) ? [value] : [],
  );
}

interface Opening {
  readonly packageName: string;
  readonly name: string;
  readonly secrets: readonly string[];
}

/** Converts a package's error, whose text may quote anything; for a list of errors in its code, the first counts. */
function openFailure(thrown: unknown, { packageName, name, secrets }: Opening): Error {
  if (thrown instanceof ModelError) return thrown;
  const first: unknown = thrown instanceof AggregateError && thrown.errors.length > 0 ? thrown.errors[0] : thrown;
  const { name: kind, message = first } = recordOf(first);
  const variable = kind === "AI_LoadAPIKeyError" ? missingVariable(message) : undefined;
  if (variable !== undefined) return new MissingKeyError(variable);
  const text = oneLine(redactKeys(String(message), { secrets, name }));
  return new ModelError(`${packageName} cannot be used: ${text.slice(0, longestText)}`);
}

/** A package name with an optional scope, and optionally an entry's path. */
const specifier = /^((?:@[a-z0-9~][\w.~-]*\/)?[a-z0-9~][\w.~-]*)(?:\/[a-z0-9~][\w.~-]*)*$/i;

/**
 * The URL of an installed package's code, such as `@ai-sdk/google` or `@ai-sdk/google-vertex/anthropic`: from the `node_modules` of the
 * first folder that has it, not from parents. Bun installs what it cannot find, so it is called only for existing packages. Throws
 * `ModelError` for an invalid name, a missing package or a missing entry.
 */
function findPackage(name: string, folders: readonly string[]): string {
  const [, packageName] = specifier.exec(name) ?? [];
  if (packageName === undefined) throw new ModelError(`${JSON.stringify(name)} is not a package name`);
  const folder = folders.find((start) => isInstalled(packageName, start));
  if (folder === undefined)
    throw new ModelError(`${packageName} is not installed. ${howToInstall(packageName, folders)}`);
  return pathToFileURL(codeOf(name, folder)).href;
}

function codeOf(name: string, folder: string): string {
  const { file, cause } = resolved(name, folder);
  // Bun's built-in modules have no file, even if a package has the same name.
  if (file !== undefined && isAbsolute(file)) return file;
  throw new ModelError(`${name} in ${folder} has no code to import`, { cause });
}

function resolved(name: string, folder: string): { readonly file?: string; readonly cause?: unknown } {
  try {
    return { file: Bun.resolveSync(name, folder) };
  } catch (cause) {
    return { cause };
  }
}

const isInstalled = (packageName: string, folder: string): boolean =>
  existsSync(join(folder, "node_modules", packageName, "package.json"));

function howToInstall(packageName: string, folders: readonly string[]): string {
  // Packages within an installed package are not considered.
  const folder = folders.find((path) => !path.split(sep).includes("node_modules"));
  const where = folder === undefined ? "" : ` in ${folder}`;
  return `Install it${where}: bun add ${packageName}, or npm install ${packageName}.`;
}

/** The part of an AI SDK provider that creates models. */
interface PackageProvider {
  languageModel(name: string): unknown;
}

interface NamedProvider {
  readonly name: string;
  readonly provider: PackageProvider;
}

/**
 * The provider that a package exports: the one named after the package (`google` of `@ai-sdk/google`, `bedrock` of
 * `@ai-sdk/amazon-bedrock`), else its default export, else its only one. Throws `ModelError` if there is none, or several.
 */
function packageProvider(exports: unknown, packageName: string): PackageProvider {
  const providers = providersOf(exports);
  const names = [...namesAfter(packageName), "default"];
  const named = names.flatMap((name) => providers.find((entry) => entry.name.toLowerCase() === name) ?? [])[0];
  if (named !== undefined) return named.provider;
  const [only, ...others] = new Set(providers.map(({ provider }) => provider));
  if (only === undefined) throw new ModelError(`${packageName} ${problemOf(exports, packageName)}`);
  if (others.length === 0) return only;
  const list = providers.map(({ name }) => name).join(", ");
  throw new ModelError(`${packageName} exports several providers (${list}), none of them named after the package`);
}

function providersOf(exports: unknown): readonly NamedProvider[] {
  return Object.entries(recordOf(exports)).flatMap(([name, provider]) =>
    isProvider(provider) ? [{ name, provider }] : [],
  );
}

/** A provider is an object, or a function with methods. */
function isProvider(value: unknown): value is PackageProvider {
  const holder = typeof value === "function" || typeof value === "object" ? value : null;
  return holder !== null && "languageModel" in holder && typeof holder.languageModel === "function";
}

/** For `@ai-sdk/google-vertex`: `google-vertex`, its joined and single words, then the scope; in lower case. */
function namesAfter(packageName: string): readonly string[] {
  const [, scope, base = ""] = /^(?:@([^/]+)\/)?([^/]+)/.exec(packageName.toLowerCase()) ?? [];
  const words = base.split(/[^a-z0-9]+/);
  return [words.join(""), ...words, ...(scope === undefined ? [] : [scope.replace(/[^a-z0-9]/g, "")])];
}

/** A package that only creates providers needs settings that a name does not have. */
function problemOf(exports: unknown, packageName: string): string {
  const makers = namesAfter(packageName).map((name) => `create${name}`);
  const maker = Object.keys(recordOf(exports)).find((name) => makers.includes(name.toLowerCase()));
  const without = "exports no AI SDK provider that is ready to use";
  return maker === undefined
    ? without
    : `${without}: what its ${maker} needs can only be passed in code, with fromAiSdk`;
}
