import type { Environment } from "@mdx-ai/models";
import type { MeterProvider } from "@opentelemetry/sdk-metrics";
import type { TracerProvider } from "@opentelemetry/sdk-trace";
import manifest from "../../package.json" with { type: "json" };
import { noRedactor } from "../redaction/redactor.ts";
import { tellOnce } from "../tell-once.ts";
import type { PromptObserver } from "../types/prompt-observer.ts";
import { SCHEMA_URL } from "./conventions.ts";
import type { ExportContext } from "./export/export-delegate.ts";
import { meterProvider } from "./export/meter-provider.ts";
import { pause } from "./export/pause.ts";
import { tracerProvider } from "./export/tracer-provider.ts";
import { parentContext } from "./settings/parent-context.ts";
import { resourceOf } from "./settings/resource.ts";
import type { SignalExport } from "./settings/signal-exports.ts";
import { variable } from "./settings/variables.ts";
import { ChatMeters } from "./spans/chat-meters.ts";
import { PromptSpans, type SpanMakers } from "./spans/prompt-spans.ts";
import type { ObservedPrompt, Telemetry, TelemetryOptions } from "./telemetry.ts";

export interface SdkTelemetryOptions extends TelemetryOptions {
  readonly environment: Environment;
  readonly traces: readonly SignalExport[];
  readonly metrics: readonly SignalExport[];
}

/** The name under which spans and metrics are made. */
const SCOPE = "mdx-ai";

/** Milliseconds that the end of the program waits for collectors. */
const LAST_WAIT = 2000;
/** Milliseconds that exports have to break off, so that their failure is told. */
const FAREWELL = 100;

/** Telemetry by the SDK of OpenTelemetry. It is given all it needs and registers nothing: modules may have an SDK of their own. */
export class SdkTelemetry implements Telemetry {
  readonly #traces: TracerProvider;
  readonly #metrics: MeterProvider;
  readonly #makers: SpanMakers;
  readonly #closing = new AbortController();
  readonly #over = new AbortController();

  constructor({ environment, traces, metrics, agentName, clock, onWarning, ...options }: SdkTelemetryOptions) {
    const life = { closing: this.#closing.signal, over: this.#over.signal };
    // A collector that is not there stays away.
    const context: ExportContext = { life, onLine: onWarning, onFailure: tellOnce(onWarning) };
    const common = { environment, resource: resourceOf(environment), ...context };
    this.#traces = tracerProvider({ ...common, exports: traces });
    this.#metrics = meterProvider({ ...common, exports: metrics });
    const schema = { schemaUrl: SCHEMA_URL };
    this.#makers = {
      agentName,
      tracer: this.#traces.getTracer(SCOPE, manifest.version, schema),
      meters: new ChatMeters(this.#metrics.getMeter(SCOPE, manifest.version, schema)),
      parent: parentContext(environment),
      hasContents: wantsContents(environment),
      redactor: options.redactor ?? noRedactor,
      now: () => clock.now(),
    };
  }

  begin(prompt: ObservedPrompt): PromptObserver {
    return new PromptSpans(prompt, this.#makers);
  }

  async settled(): Promise<void> {
    this.#closing.abort();
    const sent = new AbortController();
    const sending = Promise.allSettled([this.#traces.shutdown(), this.#metrics.shutdown()]);
    sending.then(() => sent.abort());
    await pause(LAST_WAIT, sent.signal);
    this.#over.abort();
    await pause(FAREWELL, sent.signal);
  }
}

/** `true`, or one of the values that put contents into spans. */
const CONTENTS: readonly (string | undefined)[] = ["true", "span_only", "span_and_event"];

const wantsContents = (environment: Environment): boolean =>
  CONTENTS.includes(variable(environment, "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT")?.toLowerCase());
