import type { ExportResponse, IExporterTransport } from "@opentelemetry/otlp-exporter-base";

/** Hands out what would be sent, as lines of JSON. */
export class LineTransport implements IExporterTransport {
  readonly #write: (line: string) => void;

  constructor(write: (line: string) => void) {
    this.#write = write;
  }

  async send(data: Uint8Array): Promise<ExportResponse> {
    this.#write(new TextDecoder().decode(data));
    return { status: "success" };
  }

  shutdown(): void {}
}
