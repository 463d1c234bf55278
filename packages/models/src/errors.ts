import type { ModelFailure } from "./types/message.ts";

/** The known details of a failed model call. */
export interface ModelErrorDetails extends Partial<ModelFailure> {
  readonly cause?: unknown;
  readonly words?: RefusalWords;
}

/** A server's full refusal, on one line. It may quote anything, so it is never shown. */
export interface RefusalWords {
  /** The server's names for the failure, followed by its text. */
  readonly said: string;
  /** The faulty field of the request, if the server names it separately. */
  readonly field: string | undefined;
}

/** The `kind` of a request that does not fit the model's context window. */
export const contextExceeded = "context_exceeded";

/** Statuses after which the same request may succeed: timeouts, conflicts, too many requests, server errors. */
const transientStatuses: readonly number[] = [408, 409, 429];

/** A model call failed or was aborted. The message is for people, on one line, and never contains a key. */
export class ModelError extends Error {
  override readonly name = "ModelError";
  /** Without `isTransient`, the status decides whether a retry may succeed. */
  readonly failure: ModelFailure;
  /** Private, so that nothing prints it. */
  readonly #words: RefusalWords | undefined;

  constructor(message: string, { cause, words, ...known }: ModelErrorDetails = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.#words = words;
    this.failure = { isTransient: isTransientStatus(known.status), ...known };
  }

  /** The server's refusal, if there was one. */
  get words(): RefusalWords | undefined {
    return this.#words;
  }
}

function isTransientStatus(status: number | undefined): boolean {
  return status !== undefined && (status >= 500 || transientStatuses.includes(status));
}

/** An answer that ended early. */
export const unfinished = (host: string): ModelError =>
  new ModelError(`the answer from ${host} ended before it was complete`, { kind: "unfinished", isTransient: true });

/** An answer that breaks the protocol, perhaps because something on the way damaged it. */
export const unreadable = (problem: string): ModelError =>
  new ModelError(problem, { kind: "unreadable", isTransient: true });

/** An answer that would fill the memory. A retry would, too. */
export const tooLong = (host: string, part: string): ModelError =>
  new ModelError(`${host} sent ${part} that is too long`, { kind: "too_long" });

/** A configuration contains an invalid value. The message says where it is and what was expected, and contains no secret. */
export class ConfigurationError extends Error {
  override readonly name = "ConfigurationError";
  /** Such as `LLM_PROVIDER_CONFIG`, `environment LLM_VENDOR` or `config.yaml:3:14`. */
  readonly position: string;

  constructor(position: string, problem: string, options?: ErrorOptions) {
    super(`${position}: ${problem}`, options);
    this.position = position;
  }
}

/** The environment contains no usable key for a provider. The message says how to set it and never contains the key. */
export class MissingKeyError extends Error {
  override readonly name = "MissingKeyError";
  /** The environment variable for the key. */
  readonly variable: string;

  constructor(variable: string, problem = "is not set") {
    super(`${variable} ${problem}. Set it to your key (export ${variable}=…), or try the agent with --model offline.`);
    this.variable = variable;
  }
}

/** No model is configured, and the configuration forbids the offline model. */
export class NoModelError extends Error {
  override readonly name = "NoModelError";

  constructor() {
    super(
      "no model is configured. Set the key of a vendor (such as export ANTHROPIC_API_KEY=…), or LLM_VENDOR and LLM_MODEL, " +
        "or give --model VENDOR/NAME or --config FILE; mdx-ai models lists the vendors and what is missing",
    );
  }
}

/** A model reference names an unknown provider. */
export class UnknownProviderError extends Error {
  override readonly name = "UnknownProviderError";
  /** As the user wrote it. */
  readonly reference: string;
  /** The likely intended reference. */
  readonly suggestion: string | undefined;

  constructor(reference: string, suggestion?: string) {
    const meant = suggestion === undefined ? "" : ` Did you mean ${JSON.stringify(suggestion)}?`;
    super(
      `Unknown model ${JSON.stringify(reference)}.${meant} Write vendor/NAME (such as anthropic/claude-sonnet-5-5), ai-sdk:PACKAGE#NAME, script:FILE or offline.`,
    );
    this.reference = reference;
    this.suggestion = suggestion;
  }
}

/** A model script cannot be read. The message starts with `file:line`, or with the file if no line is to blame. */
export class ModelScriptError extends Error {
  override readonly name = "ModelScriptError";
  /** Absolute. */
  readonly file: string;
  /** Starts at 1; absent if the whole file is to blame. */
  readonly line: number | undefined;

  constructor(problem: string, position: { readonly file: string; readonly line?: number; readonly cause?: unknown }) {
    const { file, line, cause } = position;
    super(`${file}${line === undefined ? "" : `:${line}`}: ${problem}`, cause === undefined ? undefined : { cause });
    this.file = file;
    this.line = line;
  }
}
