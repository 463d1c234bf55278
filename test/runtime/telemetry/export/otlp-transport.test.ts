import { describe, expect, test } from "bun:test";
import { OtlpTransport } from "../../../../packages/runtime/src/telemetry/export/otlp-transport.ts";
import type { OtlpEndpoint } from "../../../../packages/runtime/src/telemetry/settings/otlp-endpoint.ts";
import { type OtlpCollector, otlpCollector } from "../../../support/otlp-collector.ts";

const data = new TextEncoder().encode('{"resourceSpans":[]}');

function transportTo(collector: Pick<OtlpCollector, "url">, settings: Partial<OtlpEndpoint> = {}) {
  const closing = new AbortController();
  const over = new AbortController();
  const failures: string[] = [];
  const transport = new OtlpTransport({
    endpoint: {
      url: `${collector.url}/v1/traces`,
      headers: { "api-key": "secret" },
      protocol: "http/json",
      timeout: 20_000,
      isCompressed: false,
      ...settings,
    },
    life: { closing: closing.signal, over: over.signal },
    onFailure: (reason) => failures.push(reason),
  });
  return { transport, failures, closing, over };
}

describe("what is sent", () => {
  test.each([false, true])("arrives with its headers, compressed: %p", async (isCompressed) => {
    using collector = otlpCollector();
    const { transport, failures } = transportTo(collector, { isCompressed });
    expect(await transport.send(data, 20_000)).toStrictEqual({ status: "success" });
    const [request] = collector.requests;
    expect(request?.text).toBe('{"resourceSpans":[]}');
    expect(request?.headers.get("content-encoding")).toBe(isCompressed ? "gzip" : null);
    expect(request?.headers.get("content-type")).toBe("application/json");
    expect(request?.headers.get("api-key")).toBe("secret");
    expect(failures).toStrictEqual([]);
  });

  test("is sent again when the collector is busy, after the time that it asks for", async () => {
    using collector = otlpCollector(
      { status: 503, headers: { "retry-after": "0.01" } },
      { status: 429, headers: { "retry-after": "0.01" } },
    );
    const { transport, failures } = transportTo(collector);
    expect(await transport.send(data, 20_000)).toMatchObject({ status: "success" });
    expect(collector.requests.map(({ text }) => text)).toStrictEqual(Array(3).fill('{"resourceSpans":[]}'));
    expect(failures).toStrictEqual([]);
  });

  test.each([400, 401, 404, 500])("is not sent again after a refusal: %p", async (status) => {
    using collector = otlpCollector({ status });
    const { transport, failures } = transportTo(collector);
    expect(await transport.send(data, 20_000)).toMatchObject({ status: "failure" });
    expect(collector.requests).toHaveLength(1);
    expect(failures).toStrictEqual([`it answered with status ${status}`]);
  });

  test("follows no redirect, so that keys stay with their host", async () => {
    using elsewhere = otlpCollector();
    using collector = otlpCollector({ status: 307, headers: { location: `${elsewhere.url}/v1/traces` } });
    const { transport, failures } = transportTo(collector);
    expect(await transport.send(data, 20_000)).toMatchObject({ status: "failure" });
    expect(elsewhere.requests).toStrictEqual([]);
    expect(failures).toStrictEqual(["it answered with status 307"]);
  });

  test("fails when its time is over", async () => {
    using collector = otlpCollector("hang");
    const { transport, failures } = transportTo(collector);
    expect(await transport.send(data, 50)).toMatchObject({ status: "failure" });
    expect(failures).toStrictEqual(["no answer in time"]);
  });

  test("fails without a word of the headers where they cannot be sent", async () => {
    using collector = otlpCollector();
    const { transport, failures } = transportTo(collector, { headers: { "api-key": "sec\nret" } });
    await transport.send(data, 50);
    expect(failures).toHaveLength(1);
    expect(failures[0]).not.toContain("ret");
    expect(collector.requests).toStrictEqual([]);
  });
});

describe("at the end of the program", () => {
  test("what could not be sent is tried once", async () => {
    using collector = otlpCollector({ status: 503 }, { status: 503 });
    const { transport, closing, failures } = transportTo(collector);
    closing.abort();
    expect(await transport.send(data, 20_000)).toMatchObject({ status: "retryable" });
    expect(collector.requests).toHaveLength(1);
    expect(failures).toStrictEqual(["it answered with status 503"]);
  });

  test("what waits is tried once more at once", async () => {
    using collector = otlpCollector({ status: 503, headers: { "retry-after": "15" } });
    const { transport, closing } = transportTo(collector);
    const sending = transport.send(data, 20_000);
    while (collector.requests.length === 0) await Bun.sleep(1);
    closing.abort();
    expect(await sending).toMatchObject({ status: "success" });
    expect(collector.requests).toHaveLength(2);
  });

  test("a collector that is not there is told by its code", async () => {
    const gone = otlpCollector();
    gone[Symbol.dispose]();
    const { transport, closing, failures } = transportTo(gone);
    closing.abort();
    await transport.send(data, 20_000);
    expect(failures).toStrictEqual(["ECONNREFUSED"]);
  });

  test("a collector that does not answer is given up", async () => {
    using collector = otlpCollector("hang");
    const { transport, over, failures } = transportTo(collector);
    const sending = transport.send(data, 20_000);
    while (collector.requests.length === 0) await Bun.sleep(1);
    over.abort();
    expect(await sending).toMatchObject({ status: "failure" });
    expect(failures).toStrictEqual(["no answer in time"]);
  });
});
