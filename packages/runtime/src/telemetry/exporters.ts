import { type ExportResult, ExportResultCode } from "@opentelemetry/core";
import type { ResourceMetrics } from "@opentelemetry/sdk-metrics";
import type { ReadableSpan } from "@opentelemetry/sdk-trace";
import type { ExporterSettings, Signal } from "./otlp-settings.ts";
import type { BatchExporter, ExportBounds, StockExporterOptions } from "./stock-exporters.ts";

export interface ExporterOptions extends Omit<StockExporterOptions, keyof ExportBounds> {
  /** Receives one line for each failed export. */
  readonly onFailure: (message: string) => void;
}

/** Exports spans. Loads the exporter lazily. */
export const spanExporter = (settings: ExporterSettings, options: ExporterOptions): BoundedExporter<ReadableSpan[]> =>
  new BoundedExporter(failureReport("traces", settings, options), async (bounds) =>
    (await import("./stock-exporters.ts")).spanExporter(settings, { ...options, ...bounds }),
  );

/** Exports metrics. Loads the exporter lazily. */
export const metricExporter = (
  settings: ExporterSettings,
  options: ExporterOptions,
): BoundedExporter<ResourceMetrics> =>
  new BoundedExporter(failureReport("metrics", settings, options), async (bounds) =>
    (await import("./stock-exporters.ts")).metricExporter(settings, { ...options, ...bounds }),
  );

function failureReport(signal: Signal, settings: ExporterSettings, options: ExporterOptions): (reason: string) => void {
  if (settings.to === "console") return () => {};
  // The rest of a URL may be secret.
  const { origin, pathname } = new URL(settings.url);
  return (reason) => options.onFailure(`telemetry: ${signal} could not be sent to ${origin}${pathname}: ${reason}`);
}

/**
 * Loads another exporter at its first export and bounds the time that it takes at exit: retries are useful
 * while an agent runs, but a collector that is down must not delay the exit. No method throws or rejects.
 */
export class BoundedExporter<Items> implements BatchExporter<Items> {
  readonly #onFailure: (reason: string) => void;
  readonly #open: (bounds: ExportBounds) => Promise<BatchExporter<Items>>;
  readonly #running = new Set<Promise<void>>();
  readonly #over = new AbortController();
  readonly #givenUp = Promise.withResolvers<ExportResult>();
  #exporter: Promise<BatchExporter<Items>> | undefined;
  /** The timer of a running export. */
  #connectionError: Error | undefined;
  #isClosing = false;

  /**
   * `onFailure` receives the reason for each failed export, without any header. `open` loads and creates the
   * exporter; it is called once, before its first export.
   */
  constructor(onFailure: (reason: string) => void, open: (bounds: ExportBounds) => Promise<BatchExporter<Items>>) {
    this.#onFailure = onFailure;
    this.#open = open;
  }

  export(items: Items, done: (result: ExportResult) => void): void {
    this.#connectionError = undefined;
    const sending = Promise.race([this.#givenUp.promise, this.#send(items)]).then((result) => {
      this.#running.delete(sending);
      this.#connectionError = undefined;
      if (result.code === ExportResultCode.FAILED) this.#onFailure(reasonOf(result.error));
      done(result);
    });
    this.#running.add(sending);
  }

  /** Resolves when all running exports have ended. */
  async forceFlush(): Promise<void> {
    await Promise.all(this.#running);
  }

  shutdown(): Promise<void> {
    return this.forceFlush();
  }

  /** Call it before the program exits: from then on the first failed connection ends all exports. */
  close(): void {
    this.#isClosing = true;
    if (this.#connectionError !== undefined) this.giveUp(this.#connectionError);
  }

  giveUp(error: Error = new Error("not accepted in time")): void {
    this.#givenUp.resolve({ code: ExportResultCode.FAILED, error });
    this.#over.abort(error);
  }

  async #send(items: Items): Promise<ExportResult> {
    try {
      this.#exporter ??= this.#open({
        over: this.#over.signal,
        onConnectionError: (error) => this.#onConnectionError(error),
      });
      const exporter = await this.#exporter;
      return await new Promise((resolve) => exporter.export(items, resolve));
    } catch (thrown) {
      return { code: ExportResultCode.FAILED, error: thrown instanceof Error ? thrown : new Error(String(thrown)) };
    }
  }

  #onConnectionError(error: Error): void {
    this.#connectionError = error;
    if (this.#isClosing) this.giveUp(error);
  }
}

/** The reason for a failed export as a status or a code: the text of an error may contain a header. */
function reasonOf(error: Error | undefined): string {
  const code = error !== undefined && "code" in error ? error.code : undefined;
  if (typeof code === "number") return `it answered with status ${code}`;
  return typeof code === "string" ? code : "not accepted in time";
}
