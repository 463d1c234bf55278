import { describe, expect, test } from "bun:test";
import { eventually } from "../../../../test/support/eventually.ts";
import { type OtlpCollector, otlpCollector } from "../../../../test/support/otlp-collector.ts";
import { type BoundedExporter, spanExporter } from "./exporters.ts";
import type { OtlpSettings } from "./otlp-settings.ts";

type Variables = Readonly<Record<string, string>>;

function exporterTo(
  { url }: Pick<OtlpCollector, "url">,
  settings: Partial<OtlpSettings> = {},
  environment: Variables = {},
) {
  const failures: string[] = [];
  const otlp: OtlpSettings = {
    to: "otlp",
    protocol: "http/json",
    url: `${url}/v1/traces`,
    headers: { "api-key": "secret" },
    timeoutMillis: 20_000,
    compression: "none",
    ...settings,
  };
  const context = { environment, onFailure: (line: string) => failures.push(line), onLine: () => {} };
  return { exporter: spanExporter(otlp, context), failures };
}

const sent = (exporter: BoundedExporter<never[]>): Promise<unknown> =>
  new Promise((resolve) => exporter.export([], resolve));

/** The results of OpenTelemetry. */
const SUCCESS = { code: 0 };
const FAILED = { code: 1 };

/** Failures without the address, which is another one each time. */
const reasons = (failures: readonly string[]): readonly string[] =>
  failures.map((line) => line.replace(/http:\S*: /, ""));

describe("a batch", () => {
  test.each(["none", "gzip"] as const)("arrives with its headers, compression: %s", async (compression) => {
    using collector = otlpCollector();
    const { exporter, failures } = exporterTo(collector, { compression });
    expect(await sent(exporter)).toStrictEqual(SUCCESS);
    const [request] = collector.requests;
    expect(request?.text).toBe('{"resourceSpans":[]}');
    expect(request?.headers.get("content-encoding")).toBe(compression === "gzip" ? "gzip" : null);
    expect(request?.headers.get("content-type")).toBe("application/json");
    expect(request?.headers.get("api-key")).toBe("secret");
    expect(failures).toStrictEqual([]);
  });

  test("goes through the proxy of the environment", async () => {
    using proxy = otlpCollector();
    const { exporter } = exporterTo({ url: "http://collector.invalid:4318" }, {}, { HTTP_PROXY: proxy.url });
    expect(await sent(exporter)).toStrictEqual(SUCCESS);
    expect(proxy.requests.map(({ headers }) => headers.get("host"))).toStrictEqual(["collector.invalid:4318"]);
  });

  test("carries no key of the process that is not in the environment", async () => {
    using collector = otlpCollector();
    const name = "OTEL_EXPORTER_OTLP_HEADERS";
    process.env[name] = "api-key=of-the-process,other-key=of-the-process";
    try {
      const { exporter } = exporterTo(collector);
      expect(await sent(exporter)).toStrictEqual(SUCCESS);
    } finally {
      delete process.env[name];
    }
    expect(collector.requests[0]?.headers.get("api-key")).toBe("secret");
    expect([...(collector.requests[0]?.headers.values() ?? [])].join()).not.toContain("of-the-process");
  });

  test("is sent again when the collector is busy", async () => {
    using collector = otlpCollector(
      { status: 503, headers: { "retry-after": "0" } },
      { status: 429, headers: { "retry-after": "0" } },
    );
    const { exporter, failures } = exporterTo(collector);
    expect(await sent(exporter)).toStrictEqual(SUCCESS);
    expect(collector.requests.map(({ text }) => text)).toStrictEqual(Array(3).fill('{"resourceSpans":[]}'));
    expect(failures).toStrictEqual([]);
  });

  test.each([400, 401, 404, 500])("is not sent again after a refusal: %p", async (status) => {
    using collector = otlpCollector({ status });
    const { exporter, failures } = exporterTo(collector);
    expect(await sent(exporter)).toMatchObject(FAILED);
    expect(collector.requests).toHaveLength(1);
    expect(failures).toStrictEqual([
      `telemetry: traces could not be sent to ${collector.url}/v1/traces: it answered with status ${status}`,
    ]);
  });

  test("follows no redirect, so that keys stay with their host", async () => {
    using elsewhere = otlpCollector();
    using collector = otlpCollector({ status: 307, headers: { location: `${elsewhere.url}/v1/traces` } });
    const { exporter, failures } = exporterTo(collector);
    expect(await sent(exporter)).toMatchObject(FAILED);
    expect(elsewhere.requests).toStrictEqual([]);
    expect(reasons(failures)).toStrictEqual(["telemetry: traces could not be sent to it answered with status 307"]);
  });

  test("fails when its time is over", async () => {
    using collector = otlpCollector("hang");
    const { exporter, failures } = exporterTo(collector, { timeoutMillis: 50 });
    expect(await sent(exporter)).toMatchObject(FAILED);
    expect(reasons(failures)).toStrictEqual(["telemetry: traces could not be sent to not accepted in time"]);
  });

  test("fails without a word of the headers if they cannot be sent", async () => {
    using collector = otlpCollector();
    const { exporter, failures } = exporterTo(collector, { headers: { "api-key": "sec\nret" } });
    expect(await sent(exporter)).toMatchObject(FAILED);
    expect(failures).toHaveLength(1);
    expect(failures[0]).not.toContain("ret");
    expect(collector.requests).toStrictEqual([]);
  });
});

/** Milliseconds; the exporter itself would retry for more than ten seconds. */
const MUCH_EARLIER = 8000;

describe("at the end of the program", () => {
  const refused = "telemetry: traces could not be sent to ECONNREFUSED";

  test(
    "a collector that is down is tried once",
    async () => {
      const gone = otlpCollector();
      gone[Symbol.dispose]();
      const { exporter, failures } = exporterTo(gone);
      exporter.close();
      expect(await sent(exporter)).toMatchObject(FAILED);
      expect(reasons(failures)).toStrictEqual([refused]);
    },
    MUCH_EARLIER,
  );

  test(
    "a retry that waits for a collector that is down is given up",
    async () => {
      using collector = otlpCollector({ status: 503, headers: { "retry-after": "1" } });
      const { exporter, failures } = exporterTo(collector);
      const sending = sent(exporter);
      await eventually(() => collector.requests.length > 0);
      collector[Symbol.dispose]();
      exporter.close();
      expect(await sending).toMatchObject(FAILED);
      expect(reasons(failures)).toStrictEqual([refused]);
    },
    MUCH_EARLIER,
  );

  test("a busy collector is tried again", async () => {
    using collector = otlpCollector({ status: 503, headers: { "retry-after": "0" } });
    const { exporter } = exporterTo(collector);
    exporter.close();
    expect(await sent(exporter)).toStrictEqual(SUCCESS);
    expect(collector.requests).toHaveLength(2);
  });

  test(
    "a collector that does not answer is given up, and its connection is closed",
    async () => {
      const asked = Promise.withResolvers<void>();
      const left = Promise.withResolvers<void>();
      using server = Bun.serve({
        port: 0,
        hostname: "127.0.0.1",
        idleTimeout: 0,
        fetch(request) {
          request.signal.addEventListener("abort", () => left.resolve());
          asked.resolve();
          return new Promise(() => {});
        },
      });
      const { exporter, failures } = exporterTo({ url: server.url.origin });
      const sending = sent(exporter);
      await asked.promise;
      exporter.close();
      exporter.giveUp();
      expect(await sending).toMatchObject(FAILED);
      await left.promise;
      await exporter.shutdown();
      expect(reasons(failures)).toStrictEqual(["telemetry: traces could not be sent to not accepted in time"]);
    },
    MUCH_EARLIER,
  );
});
