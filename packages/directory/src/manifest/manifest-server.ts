import { isList, isRecord, isText, sha256, sortedJson } from "@mdx-ai/base";
import type { McpServerDefinition } from "@mdx-ai/parser";
import type { WrittenServer } from "@mdx-ai/runtime/declared-servers";

/** An MCP server of a directory: what starts or is asked, and what it receives. A secret that was written into it is a hash here. */
export interface ManifestServer extends McpServerDefinition {
  readonly name: string;
  /** The skill that declares it. */
  readonly skill?: string;
}

/** A server as a directory declares it, for people and for a lock file. */
export function manifestServer({ name, skill, written }: WrittenServer): ManifestServer {
  const { env, headers, oauth, ...others } = written;
  const secret = oauth?.client_secret;
  return {
    name,
    ...(skill !== undefined && { skill }),
    ...others,
    ...(env !== undefined && { env: withoutSecrets(env) }),
    ...(headers !== undefined && { headers: withoutSecrets(headers) }),
    ...(oauth !== undefined && {
      oauth: { ...oauth, ...(secret !== undefined && { client_secret: withoutSecret(secret) }) },
    }),
  };
}

const withoutSecrets = (texts: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, withoutSecret(text)]));

/** A reference to a variable, such as `Bearer ${TOKEN}`, and a short word stay as they are. */
const withoutSecret = (text: string): string =>
  /^(?:[\w-]{0,12} ?\$\{\w+\}|[\w.-]{0,12})$/.test(text) ? text : `sha256:${sha256(text)}`;

/** One aspect of a server. Without `kind`, it is what runs or what decides that. */
interface ServerAspect {
  readonly aspect: string;
  readonly kind?: "restriction" | "note";
  readonly value: string;
}

/** What of a server executes or grants power, each aspect with what people see. */
export function serverAspects({
  skill,
  transport,
  command,
  args = [],
  env = {},
  cwd,
  url,
  headers = {},
  oauth,
  timeout,
  connect_timeout: connectTimeout,
  connect,
  tools,
}: ManifestServer): readonly ServerAspect[] {
  const said = (aspect: string, value: string | undefined, kind?: ServerAspect["kind"]): readonly ServerAspect[] =>
    value === undefined ? [] : [{ aspect, value, ...(kind && { kind }) }];
  return [
    ...said("transport", transport),
    ...said("program", command && [command, ...args].map(word).join(" ")),
    ...said("folder", cwd),
    ...said("address", url),
    ...Object.entries(env).flatMap(([name, text]) => said(`variable ${name}`, text)),
    ...Object.entries(headers).flatMap(([name, text]) => said(`header ${name}`, text)),
    ...said("sign-in", oauth && sortedJson(oauth)),
    ...said("skill", skill),
    ...said("tools", tools?.join(", "), "restriction"),
    ...said("connect", connect, "note"),
    ...said("timeout", timeout?.toString(), "note"),
    ...said("connect_timeout", connectTimeout?.toString(), "note"),
  ];
}

/** What a server is and receives, in one line for the question of trust. */
export function serverText({ command, args = [], env = {}, url, headers = {} }: ManifestServer): string {
  const names = { sees: Object.keys(env), sends: Object.keys(headers) };
  return [
    command === undefined ? `connects to ${url ?? "?"}` : `runs ${[command, ...args].map(word).join(" ")}`,
    ...(names.sees.length === 0 ? [] : [`sees ${names.sees.join(", ")}`]),
    ...(names.sends.length === 0 ? [] : [`sends the headers ${names.sends.join(", ")}`]),
  ].join("; ");
}

/** A word of a command line, so that its borders can be seen. */
const word = (text: string): string => (/^[\w@%+=:,./${}-]+$/.test(text) ? text : JSON.stringify(text));

/** Whether a value of a lock file is a server of `ManifestServer`, without its name. */
export const isLockedServer = (value: unknown): value is Omit<ManifestServer, "name"> =>
  isRecord(value) &&
  TRANSPORTS.includes(value["transport"]) &&
  ["skill", "command", "cwd", "url", "connect"].every((key) => isOptionalText(value[key])) &&
  ["args", "tools"].every((key) => value[key] === undefined || isList(value[key], isText)) &&
  ["env", "headers", "oauth"].every((key) => value[key] === undefined || isTexts(value[key]));

const TRANSPORTS: readonly unknown[] = ["stdio", "http", "sse", "tcp"];

const isOptionalText = (value: unknown): boolean => value === undefined || isText(value);

const isTexts = (value: unknown): boolean => isRecord(value) && Object.values(value).every(isText);
