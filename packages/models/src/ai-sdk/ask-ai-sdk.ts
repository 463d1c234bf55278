import type { LanguageModelV4CallOptions, LanguageModelV4FunctionTool } from "@ai-sdk/provider";
import type { JsonObject, UnknownRecord } from "@mdx-ai/base";
import type { Adaptations } from "../adaptations/adaptations.ts";
import { unfinished } from "../errors.ts";
import type { Sent } from "../history/sent-parts.ts";
import { SilenceWatch } from "../http/silence-watch.ts";
import { MessageBuilder } from "../message-builder.ts";
import { schemaFamily } from "../schemas/families.ts";
import { ToolSchemas } from "../schemas/tool-schemas.ts";
import type { ModelEvent, ModelRequest, ToolSchema } from "../types/language-model.ts";
import { estimateUncounted } from "../usage.ts";
import type { AiSdkModel, AiSdkVersion } from "./ai-sdk-model.ts";
import { aiSdkFailure } from "./failures.ts";
import { PartReader } from "./part-reader.ts";
import { documentParts, type PartSource, streamParts } from "./part-source.ts";
import { type PromptMessage, type PromptReader, promptOf } from "./prompt.ts";

/** The requested model. */
interface Origin {
  readonly model: AiSdkModel;
  readonly version: AiSdkVersion;
  readonly provider: string;
  readonly name: string;
  readonly schemas: ToolSchemas;
}

interface Asking {
  readonly signal: AbortSignal;
  /** Milliseconds. */
  readonly silence: number;
  readonly providerOptions: { readonly [provider: string]: JsonObject };
  readonly secrets: readonly string[];
  readonly adaptations: Adaptations;
}

/** The tool schemas in the format that a model's package accepts; it adapts them further for its vendor. */
export const toolSchemasFor = ({ provider, name }: Pick<Origin, "provider" | "name">): ToolSchemas =>
  new ToolSchemas(schemaFamily({ vendor: provider, model: name, host: "" }));

/** Sends one request to an AI SDK model. Never throws. */
export async function* askAiSdk(origin: Origin, request: ModelRequest, asking: Asking): AsyncGenerator<ModelEvent> {
  const { provider, name } = origin;
  const { signal, silence, secrets, adaptations } = asking;
  const builder = new MessageBuilder({ provider, model: name });
  const reader = new PartReader(builder, { provider, kind: request.stream === false ? "document" : "stream" });
  const answer = new Answer(signal, new SilenceWatch(silence, provider));
  try {
    const adapted = await origin.schemas.adapted(request);
    builder.restoreArguments(adapted.restore);
    await answer.open(origin, adapted.request, asking);
    while (!reader.isWhole) {
      const next = await answer.next();
      if (next === undefined) throw unfinished(provider);
      reader.read(next.part);
      if (reader.isWhole) await estimateUncounted(builder, request);
      const events = builder.take();
      answer.progress(events.length);
      for (const event of events) yield event;
    }
  } catch (thrown) {
    const failure = aiSdkFailure(answer.reasonOr(thrown), { provider, name, secrets });
    if (signal.aborted) builder.abort();
    else builder.fail(await adaptations.learn(failure, { request, body: answer.options, url: "" }));
  } finally {
    answer.leave(reader.isWhole);
  }
  for (const event of builder.take()) yield event;
}

/** A running answer. Ends when the user aborts it or nothing arrives for too long. */
class Answer {
  readonly #watch: SilenceWatch;
  /** Fires on abort and on timeout. */
  readonly #ended: AbortSignal;
  #source: PartSource | undefined;
  /** The options of the call; empty before it. */
  options: UnknownRecord = {};

  constructor(signal: AbortSignal, watch: SilenceWatch) {
    this.#watch = watch;
    this.#ended = AbortSignal.any([signal, watch.signal]);
    this.#ended.addEventListener("abort", () => this.#source?.cancel(), { once: true });
  }

  async open({ model, provider, version }: Origin, request: ModelRequest, asking: Asking): Promise<void> {
    this.options = asking.adaptations.fields({ ...callOptions(request, { provider, version }) });
    const options = {
      ...this.options,
      providerOptions: asking.providerOptions,
      abortSignal: this.#ended,
    };
    this.#ended.throwIfAborted();
    this.#watch.listen();
    const source = request.stream === false ? documentOf(model, options) : streamOf(model, options);
    // Closes a source that arrives too late. Its rejection is handled below or does not matter.
    source.then(
      (late) => this.#ended.aborted && late.cancel(),
      () => {},
    );
    this.#source = await untilAborted(source, this.#ended);
    this.#watch.hear();
  }

  async next(): Promise<{ readonly part: unknown } | undefined> {
    this.#watch.listen();
    const next = await this.#source?.next();
    this.#ended.throwIfAborted();
    this.#watch.hear();
    return next;
  }

  /** Reports that pieces of the answer arrived. */
  progress(pieces: number): void {
    this.#watch.progress(pieces);
  }

  /** The reason if the answer was ended here, else `thrown`. */
  reasonOr(thrown: unknown): unknown {
    return this.#ended.aborted ? this.#ended.reason : thrown;
  }

  leave(isWhole: boolean): void {
    this.#watch.stop();
    if (isWhole) this.#source?.leave();
    else this.#source?.cancel();
  }
}

const streamOf = async (model: AiSdkModel, options: object): Promise<PartSource> =>
  streamParts(await model.doStream(options));

const documentOf = async (model: AiSdkModel, options: object): Promise<PartSource> =>
  documentParts(await model.doGenerate(options));

/** The result of some work, or the signal's reason once it fires; a later result is dropped. */
async function untilAborted<Value>(work: PromiseLike<Value>, signal: AbortSignal): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

type FunctionTool = Sent<Pick<LanguageModelV4FunctionTool, "type" | "name" | "description">> & {
  readonly inputSchema: JsonObject;
};

type Reasoning = NonNullable<LanguageModelV4CallOptions["reasoning"]>;

/** The options of `doStream` and `doGenerate`. */
interface CallOptions extends Pick<LanguageModelV4CallOptions, "temperature" | "maxOutputTokens" | "reasoning"> {
  readonly prompt: readonly PromptMessage[];
  readonly tools?: readonly FunctionTool[];
}

/** Efforts that the interface supports from version 4 on. */
const efforts: readonly Reasoning[] = ["none", "minimal", "low", "medium", "high", "xhigh", "max"];

/**
 * A request in the format of AI SDK providers, with only the requested settings. Thinking budgets and other efforts are not part of the
 * interface and need provider options.
 */
function callOptions(request: ModelRequest, reader: PromptReader): CallOptions {
  const { tools, temperature, maxTokens } = request;
  const reasoning = reader.version === "v4" ? effortOf(request) : undefined;
  return {
    prompt: promptOf(request, reader),
    ...(tools.length > 0 && { tools: tools.map(functionTool) }),
    ...(temperature !== undefined && { temperature }),
    ...(maxTokens !== undefined && { maxOutputTokens: maxTokens }),
    ...(reasoning !== undefined && { reasoning }),
  };
}

function functionTool({ name, description, parameters }: ToolSchema): FunctionTool {
  return { type: "function", name, description: description.toWellFormed(), inputSchema: parameters };
}

function effortOf({ thinking, effort }: ModelRequest): Reasoning | undefined {
  if (thinking === "off") return "none";
  return efforts.find((known) => known === effort);
}
