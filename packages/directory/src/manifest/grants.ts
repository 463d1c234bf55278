import { isText, type JsonValue } from "@mdx-ai/base";
import type { Entry } from "./manifest.ts";

/** The kinds of things that an agent can be given, in the order of the screen. */
export const GRANT_KINDS = [
  "tool",
  "code",
  "module",
  "package",
  "mcp",
  "agent",
  "host",
  "env",
  "credential",
  "files",
  "command",
  "schedule",
  "model",
  "limit",
  "data",
  "permission",
  "sandbox",
  "setting",
  "other",
] as const;

export type GrantKind = (typeof GRANT_KINDS)[number];

/** What an entry of a manifest gives an agent, in the words of a person who decides about it. */
export interface Grant {
  readonly kind: GrantKind;
  /** Such as "api.example.com". */
  readonly name: string;
  /** The part of the agent that gets it, such as "tool deploy"; absent for the agent as a whole. */
  readonly of?: string;
}

/** A subagent's entries have its kind behind its name. */
const OF_AGENT = /^agent ("(?:[^"\\]|\\.)*") › (.+)$/;

/** Whether an entry is one of an agent that works for this one. */
export const isOfAgent = ({ kind }: Pick<Entry, "kind">): boolean => OF_AGENT.test(kind);

/** What an entry gives. Each entry that is not a note gives something. */
export function grantsOf(entry: Entry): readonly Grant[] {
  const [, agent, kind] = OF_AGENT.exec(entry.kind) ?? [];
  if (agent === undefined || kind === undefined) return ownGrants(entry);
  const name = `agent ${String(JSON.parse(agent))}`;
  return grantsOf({ ...entry, kind }).map((grant) => ({ ...grant, of: [name, grant.of].filter(isText).join(", ") }));
}

function ownGrants(entry: Entry): readonly Grant[] {
  const { kind, item = "", aspect = "", value } = entry;
  switch (kind) {
    case "tool":
    case "skill tool":
      return toolGrants(item, aspect, value);
    case "MCP server":
      return serverGrants(item, aspect, value);
    case "sandbox":
      return [hostIn(aspect, "the sandbox") ?? { kind: "sandbox", name: aspect }];
    case "heartbeat":
      return heartbeatGrants(aspect);
    case "permission":
    case "order of the permissions":
      return [{ kind: "permission", name: item || "order" }];
    case "hook":
      return [{ kind: "command", name: isText(value) ? value : item, of: `hook ${item}` }];
    case "folder of skills":
      return [{ kind: "files", name: item }];
    case "code in the prose of agent.mdx":
      return [{ kind: "code", name: "agent.mdx" }];
    case "module file":
      return [{ kind: "module", name: item }];
    case "tool file":
    case "imported file":
    case "script":
    case "skill file":
    case "file":
      return [
        { kind: "code", name: item },
        ...(item.startsWith("../") ? [{ kind: "files" as const, name: item }] : []),
      ];
    case "data file":
      return [{ kind: "data", name: item }];
    case "model":
    case "limit":
    case "package":
    case "setting":
    case "credential":
    case "agent":
      return [{ kind, name: item }];
    default:
      return [{ kind: "other", name: [kind, item, aspect].filter((part) => part !== "").join(" ") }];
  }
}

const HOST = /^(?:host (.+)|(any (?:public )?host))$/;

function hostIn(aspect: string, of: string): Grant | undefined {
  const [, named, any] = HOST.exec(aspect) ?? [];
  const name = named ?? any;
  return name === undefined ? undefined : { kind: "host", name, of };
}

function toolGrants(item: string, aspect: string, value: JsonValue): readonly Grant[] {
  const of = `tool ${item}`;
  const host = hostIn(aspect, of);
  if (host !== undefined) return [host];
  const [, what, name = ""] = /^(variable|files) (.+)$/.exec(aspect) ?? [];
  if (what === "variable") return [{ kind: "env", name, of }];
  if (what === "files")
    return [{ kind: "files", name: name === "of any name" ? "any that the sandbox shows" : name, of }];
  if (aspect === "permission") return [{ kind: "permission", name: of }];
  return [{ kind: "tool", name: item }, ...mentioned(value, of)];
}

function serverGrants(item: string, aspect: string, value: JsonValue): readonly Grant[] {
  const of = `mcp ${item}`;
  const host = aspect === "address" ? hostOf(value) : undefined;
  const files = aspect === "folder" || aspect === "roots" ? [{ kind: "files" as const, name: String(value), of }] : [];
  return [
    { kind: "mcp", name: item },
    ...(host === undefined ? [] : [{ kind: "host" as const, name: host, of }]),
    ...mentioned(value, of),
    ...files,
  ];
}

/** The variables that a text is filled in with, such as `${TOKEN}`. */
const mentioned = (value: JsonValue, of: string): readonly Grant[] =>
  isText(value)
    ? [...new Set([...value.matchAll(/\$\{(\w+)/g)].map(([, name = ""]) => name))].map((name) => ({
        kind: "env",
        name,
        of,
      }))
    : [];

/** As a request reads the address, such as `evil.example` in `https://evil.example#@good.example/`. A variable in it stays. */
const hostOf = (value: JsonValue): string | undefined =>
  isText(value) ? (/^[a-z][a-z0-9+.-]*:\/\/(?:[^/@?#\\]*@)*([^/?#\\]+)/i.exec(value)?.[1] ?? value) : undefined;

function heartbeatGrants(aspect: string): readonly Grant[] {
  const [, what, name = ""] = /^(command|news to) (.+)$/.exec(aspect) ?? [];
  if (what === "command") return [{ kind: "command", name, of: "the heartbeat" }];
  if (what === "news to") return [{ kind: "host", name: hostOf(name) ?? name, of: "the heartbeat" }];
  if (aspect.startsWith("code ")) return [{ kind: "code", name: "heartbeat.md" }];
  return [{ kind: "schedule", name: aspect === "" ? "heartbeat.md" : aspect }];
}
