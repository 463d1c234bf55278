import { ModelError } from "../errors/model-error.ts";
import { recordOf } from "../json.ts";

/** The part of an AI SDK provider that makes models. */
export interface PackageProvider {
  languageModel(name: string): unknown;
}

interface NamedProvider {
  readonly name: string;
  readonly provider: PackageProvider;
}

/**
 * The provider that a package exports, ready to be asked for models: the one named after the package (`google` of
 * `@ai-sdk/google`, `bedrock` of `@ai-sdk/amazon-bedrock`), else its default export, else its only one.
 * Throws `ModelError` if the package has none, or if it is not clear which is meant.
 */
export function packageProvider(exports: unknown, packageName: string): PackageProvider {
  const providers = providersOf(exports);
  const names = [...namesAfter(packageName), "default"];
  const named = names.flatMap((name) => providers.find((entry) => entry.name.toLowerCase() === name) ?? [])[0];
  if (named !== undefined) return named.provider;
  const [only, ...others] = new Set(providers.map(({ provider }) => provider));
  if (only === undefined) throw new ModelError(`${packageName} ${problemOf(exports, packageName)}`);
  if (others.length === 0) return only;
  const list = providers.map(({ name }) => name).join(", ");
  throw new ModelError(`${packageName} holds several providers (${list}), and none has the package's name`);
}

function providersOf(exports: unknown): readonly NamedProvider[] {
  return Object.entries(recordOf(exports)).flatMap(([name, provider]) =>
    isProvider(provider) ? [{ name, provider }] : [],
  );
}

/** A provider is an object, or a function that has a method beside it. */
function isProvider(value: unknown): value is PackageProvider {
  const holder = typeof value === "function" || typeof value === "object" ? value : null;
  return holder !== null && "languageModel" in holder && typeof holder.languageModel === "function";
}

/** `google-vertex` of `@ai-sdk/google-vertex`, joined and by words, then the scope; in lower case. */
function namesAfter(packageName: string): readonly string[] {
  const [, scope, base = ""] = /^(?:@([^/]+)\/)?([^/]+)/.exec(packageName.toLowerCase()) ?? [];
  const words = base.split(/[^a-z0-9]+/);
  return [words.join(""), ...words, ...(scope === undefined ? [] : [scope.replace(/[^a-z0-9]/g, "")])];
}

/** A package that only makes providers needs settings that a name alone does not have. */
function problemOf(exports: unknown, packageName: string): string {
  const makers = namesAfter(packageName).map((name) => `create${name}`);
  const maker = Object.keys(recordOf(exports)).find((name) => makers.includes(name.toLowerCase()));
  const without = "holds no AI SDK provider that is ready for use";
  return maker === undefined
    ? without
    : `${without}: what its ${maker} needs can only be passed in code, with fromAiSdk`;
}
