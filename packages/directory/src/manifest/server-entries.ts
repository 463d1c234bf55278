import { type JsonValue, sha256, sortedJson } from "@mdx-ai/base";
import type { WrittenServer } from "@mdx-ai/runtime/declared-servers";
import type { Effect, Entry } from "./manifest.ts";

/** The properties of an MCP server that execute or grant capabilities: its command or URL, and its environment or headers. Secrets become hashes. */
export function serverEntries({ name, skill, written }: WrittenServer): readonly Entry[] {
  const item = skill === undefined ? name : `${skill}/${name}`;
  const { transport, command, args = [], env = {}, cwd, url, headers = {}, oauth, roots, tools } = written;
  const { timeout, connect_timeout: connectTimeout, connect } = written;
  const of = (aspect: string, value: JsonValue | undefined, effect: Effect = "allows"): readonly Entry[] =>
    value === undefined ? [] : [{ kind: "MCP server", item, aspect, effect, value }];
  return [
    ...of("transport", transport),
    ...of("program", command && [command, ...args].map(word).join(" ")),
    ...of("folder", cwd),
    ...of("address", url),
    ...Object.entries(env).flatMap(([key, text]) => of(`variable ${key}`, withoutSecret(text))),
    ...Object.entries(headers).flatMap(([key, text]) => of(`header ${key}`, withoutSecret(text))),
    ...of("sign-in", oauth && sortedJson(withoutClientSecret(oauth))),
    ...of("roots", typeof roots === "string" ? roots : roots?.map(word).join(" ")),
    ...of("tools", tools?.join(", "), "restricts"),
    ...of("connect", connect, "notes"),
    ...of("timeout", timeout, "notes"),
    ...of("connect_timeout", connectTimeout, "notes"),
  ];
}

function withoutClientSecret({
  client_secret: secret,
  ...oauth
}: NonNullable<WrittenServer["written"]["oauth"]>): object {
  return secret === undefined ? oauth : { ...oauth, client_secret: withoutSecret(secret) };
}

/** A reference to a variable, such as `Bearer ${TOKEN}`, and a short word stay readable. */
const withoutSecret = (text: string): string =>
  /^(?:[\w-]{0,12} ?\$\{\w+\}|[\w.-]{0,12})$/.test(text) ? text : `sha256:${sha256(text)}`;

/** Quotes a word of a command line where needed to show its boundaries. */
const word = (text: string): string => (/^[\w@%+=:,./${}-]+$/.test(text) ? text : JSON.stringify(text));
