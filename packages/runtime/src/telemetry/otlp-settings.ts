import type { Environment } from "@mdx-ai/models";
import { parseKeyPairsIntoRecord } from "@opentelemetry/core";

/** What is sent separately: spans or metrics. */
export type Signal = "traces" | "metrics";

/** How one signal reaches a collector. */
export interface OtlpSettings {
  readonly to: "otlp";
  readonly protocol: "http/protobuf" | "http/json";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** How long one export may take, with its retries. */
  readonly timeoutMillis: number;
  readonly isCompressed: boolean;
}

/** An exporter; `console` gives the user lines of OTLP's JSON. */
export type ExporterSettings = OtlpSettings | { readonly to: "console" };

export interface SignalSettings {
  readonly exporters: readonly ExporterSettings[];
  /** What is wrong with the variables, each as a part of one line. */
  readonly problems: readonly string[];
}

interface Problem {
  readonly problem: string;
}

const DEFAULT_ENDPOINT = "http://localhost:4318";
const DEFAULT_TIMEOUT = 10_000;

/** A variable's value without white space around it; an empty one counts as unset. */
export function variable(environment: Environment, name: string): string | undefined {
  const value = environment[name]?.trim();
  return value === "" ? undefined : value;
}

/** The whole number above 0 in a variable; anything else counts as unset. */
export function countVariable(environment: Environment, name: string): number | undefined {
  const value = Number(variable(environment, name));
  return Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

/** The exporters that `OTEL_<SIGNAL>_EXPORTER` names; without it, OTLP if the signal has an endpoint. */
export function signalSettings(environment: Environment, signal: Signal): SignalSettings {
  const name = `OTEL_${signal.toUpperCase()}_EXPORTER`;
  const usual = given(environment, signal, "ENDPOINT").value === undefined ? "none" : "otlp";
  const kinds = (variable(environment, name) ?? usual).split(",").map((kind) => kind.trim().toLowerCase());
  const found = [...new Set(kinds)].map((kind): ExporterSettings | Problem | undefined => {
    if (kind === "" || kind === "none") return undefined;
    if (kind === "console") return { to: kind };
    if (kind === "otlp") return otlpSettings(environment, signal);
    return { problem: `${name} names ${JSON.stringify(kind)}; known are otlp, console and none` };
  });
  return {
    exporters: found.flatMap((one) => (one !== undefined && "to" in one ? [one] : [])),
    problems: found.flatMap((one) => (one !== undefined && "problem" in one ? [one.problem] : [])),
  };
}

function otlpSettings(environment: Environment, signal: Signal): OtlpSettings | Problem {
  const protocol = given(environment, signal, "PROTOCOL");
  if (!isProtocol(protocol.value)) {
    return { problem: `${protocol.name}=${protocol.value} is not supported; set it to http/protobuf or http/json` };
  }
  const url = signalUrl(environment, signal);
  if ("problem" in url) return url;
  const [own, common] = names(signal, "TIMEOUT");
  return {
    to: "otlp",
    protocol: protocol.value ?? "http/protobuf",
    url: url.href,
    headers: otlpHeaders(environment, signal),
    timeoutMillis: countVariable(environment, own) ?? countVariable(environment, common) ?? DEFAULT_TIMEOUT,
    isCompressed: given(environment, signal, "COMPRESSION").value?.toLowerCase() === "gzip",
  };
}

const isProtocol = (value: string | undefined): value is OtlpSettings["protocol"] | undefined =>
  value === undefined || value === "http/json" || value === "http/protobuf";

/** The variables of a setting: the signal's own one comes before the common one. */
const names = (signal: Signal, setting: string): readonly [string, string] => [
  `OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_${setting}`,
  `OTEL_EXPORTER_OTLP_${setting}`,
];

interface GivenVariable {
  readonly name: string;
  readonly value: string | undefined;
}

function given(environment: Environment, signal: Signal, setting: string): GivenVariable {
  const [own, common] = names(signal, setting);
  const value = variable(environment, own);
  return value === undefined ? { name: common, value: variable(environment, common) } : { name: own, value };
}

/** The signal's own endpoint is used unchanged; the common one gets the signal's path. */
function signalUrl(environment: Environment, signal: Signal): URL | Problem {
  const { name, value = DEFAULT_ENDPOINT } = given(environment, signal, "ENDPOINT");
  const isOwn = name === names(signal, "ENDPOINT")[0];
  const url = URL.parse(isOwn ? value : `${value.replace(/\/+$/, "")}/v1/${signal}`);
  if (url?.protocol === "http:" || url?.protocol === "https:") return url;
  // The message omits the value, which may hold a password.
  return { problem: `${name} is not an http or https URL` };
}

/** The headers of both variables; those of the signal win. */
export function otlpHeaders(environment: Environment, signal: Signal): Readonly<Record<string, string>> {
  const [own, common] = names(signal, "HEADERS");
  return { ...parseKeyPairsIntoRecord(environment[common]), ...parseKeyPairsIntoRecord(environment[own]) };
}
