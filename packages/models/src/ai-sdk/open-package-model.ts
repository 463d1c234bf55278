import { ModelError } from "../errors/model-error.ts";
import { MissingKeyError } from "../errors/opening-errors.ts";
import { oneLine } from "../http/shown-text.ts";
import { recordOf } from "../json.ts";
import type { LanguageModel } from "../types/language-model.ts";
import { isAiSdkModel } from "./ai-sdk-model.ts";
import { missingVariable, withoutKeys } from "./failures.ts";
import { findPackage } from "./find-package.ts";
import { fromAiSdk } from "./from-ai-sdk.ts";
import { packageProvider } from "./package-provider.ts";

const longestText = 500;

export interface PackageModelOptions {
  /** Where the package is looked for: in the `node_modules` of each folder, and of none above it. Absolute. */
  readonly folders: readonly string[];
  /** Seconds of silence after which an answer counts as broken. */
  readonly timeout?: number;
}

/**
 * Opens a model of an AI SDK provider that the user has installed. This runs the package's code; nothing is installed.
 * The package reads its key and its settings from the environment of this process, most of them when first asked.
 * Rejects with `ModelError`, and with `MissingKeyError` if the package needs its key at once.
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
    if (!isAiSdkModel(model)) throw new ModelError(`${packageName} gave no language model for ${JSON.stringify(name)}`);
    return fromAiSdk(model, { secrets, ...(timeout !== undefined && { timeout }) });
  } catch (thrown) {
    throw openFailure(thrown, { packageName, name, secrets });
  }
}

/** The values of variables that hold keys by their names. */
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

/** What a package throws is a text for people that may quote anything; of several mistakes in its code the first counts. */
function openFailure(thrown: unknown, { packageName, name, secrets }: Opening): Error {
  if (thrown instanceof ModelError) return thrown;
  const first: unknown = thrown instanceof AggregateError && thrown.errors.length > 0 ? thrown.errors[0] : thrown;
  const { name: kind, message = first } = recordOf(first);
  const variable = kind === "AI_LoadAPIKeyError" ? missingVariable(message) : undefined;
  if (variable !== undefined) return new MissingKeyError(variable);
  const text = oneLine(withoutKeys(String(message), { secrets, name }));
  return new ModelError(`${packageName} cannot be used: ${text.slice(0, longestText)}`);
}
