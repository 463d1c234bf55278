import type { ExportResponse, IExporterTransport } from "@opentelemetry/otlp-exporter-base";
import type { OtlpEndpoint } from "../settings/otlp-endpoint.ts";
import type { ExportLife } from "./export-life.ts";
import { pause } from "./pause.ts";
import { retryAfter } from "./retry-after.ts";

export interface OtlpTransportOptions {
  readonly endpoint: OtlpEndpoint;
  readonly life: ExportLife;
  /** Told why something could not be sent; holds nothing of the headers. */
  readonly onFailure: (reason: string) => void;
}

/** Statuses that may pass, as OTLP defines them. */
const TRANSIENT: readonly number[] = [429, 502, 503, 504];

/** Milliseconds of the first wait; each further one is longer by a half. */
const FIRST_WAIT = 1000;
const LONGEST_WAIT = 5000;

/**
 * Sends over HTTP. What failed and may pass is repeated until its time is over, as OTLP wants it, but once at most when
 * the program ends: a collector that is not there must not hold it up.
 */
export class OtlpTransport implements IExporterTransport {
  readonly #options: OtlpTransportOptions;

  constructor(options: OtlpTransportOptions) {
    this.#options = options;
  }

  /** Never rejects. */
  async send(data: Uint8Array, timeoutMillis: number): Promise<ExportResponse> {
    const { life, onFailure } = this.#options;
    const deadline = performance.now() + timeoutMillis;
    for (let wait = FIRST_WAIT; ; wait = Math.min(LONGEST_WAIT, wait * 1.5)) {
      const isLast = life.closing.aborted;
      const response = await this.#post(data, deadline - performance.now());
      if (response.status === "success") return response;
      const delay = (response.status === "retryable" && response.retryInMillis) || wait * (0.8 + 0.4 * Math.random());
      if (isLast || response.status === "failure" || performance.now() + delay >= deadline) {
        onFailure(response.error?.message ?? "it failed");
        return response;
      }
      await pause(delay, life.closing);
    }
  }

  shutdown(): void {}

  async #post(data: Uint8Array, timeout: number): Promise<ExportResponse> {
    const { endpoint, life } = this.#options;
    const limit = AbortSignal.timeout(Math.max(0, timeout));
    try {
      const response = await fetch(endpoint.url, {
        method: "POST",
        headers: headersOf(endpoint),
        body: new Blob([endpoint.isCompressed ? Bun.gzipSync(new Uint8Array(data)) : new Uint8Array(data)]),
        // Headers hold keys, which are meant for this host alone.
        redirect: "manual",
        signal: AbortSignal.any([life.over, limit]),
      });
      await response.body?.cancel();
      return outcomeOf(response);
    } catch (error) {
      if (limit.aborted || life.over.aborted) return { status: "failure", error: new Error("no answer in time") };
      return { status: "retryable", error: new Error(connectionFailure(error)) };
    }
  }
}

const headersOf = ({ headers, protocol, isCompressed }: OtlpEndpoint): Record<string, string> => ({
  ...headers,
  "content-type": protocol === "http/json" ? "application/json" : "application/x-protobuf",
  ...(isCompressed && { "content-encoding": "gzip" }),
});

function outcomeOf({ status, headers }: Response): ExportResponse {
  if (status >= 200 && status < 300) return { status: "success" };
  const error = new Error(`it answered with status ${status}`);
  if (!TRANSIENT.includes(status)) return { status: "failure", error };
  const delay = retryAfter(headers.get("retry-after"), Date.now());
  return { status: "retryable", error, ...(delay !== undefined && { retryInMillis: delay }) };
}

/** A failed connection by its code alone: the text of an error may hold a header. */
function connectionFailure(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "the connection failed";
}
