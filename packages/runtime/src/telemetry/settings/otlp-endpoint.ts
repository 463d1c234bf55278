import type { Environment } from "@mdx-ai/models";
import { parseKeyPairsIntoRecord } from "@opentelemetry/core";
import { countVariable, variable } from "./variables.ts";

/** What is sent of its own: spans, or metrics. */
export type Signal = "traces" | "metrics";

type OtlpProtocol = "http/json" | "http/protobuf";

/** A collector that takes one signal. */
export interface OtlpEndpoint {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly protocol: OtlpProtocol;
  /** Milliseconds that one export may take, with its repetitions. */
  readonly timeout: number;
  readonly isCompressed: boolean;
}

/** Why there is none. */
export interface EndpointProblem {
  readonly problem: string;
}

const DEFAULT_ENDPOINT = "http://localhost:4318";
const DEFAULT_TIMEOUT = 10_000;

/**
 * Where a signal goes over OTLP. For each setting a variable of the signal, such as `OTEL_EXPORTER_OTLP_TRACES_HEADERS`,
 * comes before the common one, such as `OTEL_EXPORTER_OTLP_HEADERS`; headers are put together.
 */
export function otlpEndpoint(environment: Environment, signal: Signal): OtlpEndpoint | EndpointProblem {
  const protocol = given(environment, signal, "PROTOCOL");
  if (!isProtocol(protocol.value)) {
    return { problem: `${protocol.name}=${protocol.value} cannot be sent; set it to http/protobuf or http/json` };
  }
  const url = signalUrl(environment, signal);
  if ("problem" in url) return url;
  const timeout = names(signal, "TIMEOUT").map((name) => countVariable(environment, name));
  return {
    url: url.href,
    headers: headersOf(environment, signal),
    protocol: protocol.value ?? "http/protobuf",
    timeout: timeout.find((value) => value !== undefined) ?? DEFAULT_TIMEOUT,
    isCompressed: given(environment, signal, "COMPRESSION").value?.toLowerCase() === "gzip",
  };
}

/** The names of a setting's variables; the first one that is set counts. */
const names = (signal: Signal, setting: string): readonly [string, string] => [
  `OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_${setting}`,
  `OTEL_EXPORTER_OTLP_${setting}`,
];

function given(
  environment: Environment,
  signal: Signal,
  setting: string,
): { readonly name: string; readonly value: string | undefined } {
  const [own, common] = names(signal, setting);
  const value = variable(environment, own);
  return value === undefined ? { name: common, value: variable(environment, common) } : { name: own, value };
}

const isProtocol = (value: string | undefined): value is OtlpProtocol | undefined =>
  value === undefined || value === "http/json" || value === "http/protobuf";

/** The signal's own endpoint is taken as it is; to the common one the signal's path is added. */
function signalUrl(environment: Environment, signal: Signal): URL | EndpointProblem {
  const [own, common] = names(signal, "ENDPOINT");
  const isOwn = variable(environment, own) !== undefined;
  const text = variable(environment, isOwn ? own : common) ?? DEFAULT_ENDPOINT;
  const url = URL.parse(isOwn ? text : `${text.replace(/\/+$/, "")}/v1/${signal}`);
  if (url?.protocol === "http:" || url?.protocol === "https:") return url;
  // The value is not told: it may hold a password.
  return { problem: `${isOwn ? own : common} is no http or https URL` };
}

function headersOf(environment: Environment, signal: Signal): Record<string, string> {
  const [own, common] = names(signal, "HEADERS");
  return { ...parseKeyPairsIntoRecord(environment[common]), ...parseKeyPairsIntoRecord(environment[own]) };
}
