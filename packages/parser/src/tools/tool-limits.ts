import { defined } from "@mdx-ai/base";
import { wordOf } from "@mdx-ai/base/schema";
import { type HostProblem, hostProblem } from "../host-pattern.ts";
import { quoted, type Report } from "../report.ts";
import type { PermissionAction } from "../types/agent-settings.ts";
import type { ToolDefinition, ToolFiles } from "../types/tool-definition.ts";
import {
  type Attribute,
  type Attributes,
  type AttributeTable,
  commaSeparated,
  truthAttribute,
  truthOf,
} from "./attributes.ts";

/** What a tool may access and how it may be run. */
type ToolLimits = Pick<ToolDefinition, "environment" | "timeout" | "idempotent" | "permission" | "network" | "files">;

const MAX_TIMEOUT = 2_147_483;
const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/;

const actions = ["allow", "ask", "deny"] as const satisfies readonly PermissionAction[];

/** The attributes of a `<Tool>` that limit its calls; of lists each part is checked with what it names. */
export const limitAttributes: AttributeTable = {
  env: {},
  timeout: {
    title: "a number of seconds above 0",
    description: 'write `timeout="30"`',
    rule: "tool-timeout",
    accepts: (value) => secondsOf(value) !== undefined,
    fixFor: secondsMeant,
  },
  idempotent: truthAttribute("tool-idempotent", "write `idempotent` if an interrupted call may be repeated"),
  permission: {
    ...wordOf('write `permission="ask"` to ask the user before each call', actions),
    rule: "tool-permission",
  },
  network: {},
  files: {},
};

/** Reads the attributes of a `<Tool>` that limit its calls; a wrong part of a list is reported and left out. */
export function readToolLimits(attributes: Attributes, report: Report): ToolLimits {
  const isIdempotent = truthOf(attributes.get("idempotent")?.value) === true;
  return {
    environment: environmentOf(attributes.get("env"), report),
    ...defined({ timeout: secondsOf(attributes.get("timeout")?.value) }),
    ...(isIdempotent ? { idempotent: true } : {}),
    ...defined({ permission: actions.find((action) => action === attributes.get("permission")?.value) }),
    ...readNetwork(attributes.get("network"), report),
    ...readFiles(attributes.get("files"), report),
  };
}

function environmentOf(attribute: Attribute | undefined, report: Report): readonly string[] {
  if (attribute === undefined) return [];
  const names =
    typeof attribute.value === "string" ? attribute.value.split(/[,\s]+/).filter((name) => name !== "") : [];
  const wrong = names.find((name) => !variableName.test(name));
  if (wrong === undefined && names.length > 0) return [...new Set(names)];
  const message = `unexpected ${quoted(wrong ?? String(attribute.value))} as \`env\`, expected names of environment variables`;
  report({ rule: "tool-environment", offset: attribute.offset, message, hint: 'write `env="FIRST_NAME,SECOND_NAME"`' });
  return names.filter((name) => variableName.test(name));
}

function secondsOf(value: unknown): number | undefined {
  const seconds = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof seconds === "number" && seconds > 0 && seconds <= MAX_TIMEOUT ? seconds : undefined;
}

/** The seconds of a text such as `30s` or `2 min`. */
function secondsMeant(value: unknown): string | undefined {
  const [, count = "", unit = ""] = /^(\d{1,6})\s*(s|secs?|seconds?|m|mins?|minutes?)$/i.exec(String(value)) ?? [];
  const seconds = Number(count) * (/^m/i.test(unit) ? 60 : 1);
  return seconds > 0 ? String(seconds) : undefined;
}

/** Reads `network`: hosts separated by commas, in small letters and each once, or `none`. Anything else is reported. */
function readNetwork(attribute: Attribute | undefined, report: Report): Pick<ToolDefinition, "network"> {
  if (attribute === undefined) return {};
  const hosts = commaSeparated(attribute);
  if (hosts?.length === 1 && hosts[0] === "none") return { network: [] };
  if (hosts === undefined) {
    reportHost(String(attribute.value), { seen: "", hint: 'write `network="none"` for no network' }, attribute, report);
    return {};
  }
  for (const host of hosts) {
    const problem = host === "none" ? noneBesideOthers : hostProblem(host);
    if (problem !== undefined) reportHost(host, problem, attribute, report);
  }
  const named = hosts.filter((host) => host !== "none" && hostProblem(host) === undefined);
  return { network: [...new Set(named.map((host) => host.toLowerCase()))] };
}

const noneBesideOthers = { seen: " beside hosts", hint: 'write either `network="none"` or the hosts' };

function reportHost(host: string, { seen, hint }: HostProblem, attribute: Attribute, report: Report): void {
  report({
    rule: "tool-network",
    offset: attribute.offset,
    message: `unexpected ${quoted(host)}${seen} in \`network\`, expected a host such as \`api.example.com\`, or \`none\``,
    hint: host === "*" ? "remove `network`: a tool without it may reach every public host" : hint,
  });
}

const kinds = ["read", "write"] as const;
const form = 'write `files="read:data/**, write:out/**"`';

/**
 * Reads `files`: patterns of paths with `read:` or `write:` before each, separated by commas, or `none`. Any other
 * pattern is reported and left out.
 */
function readFiles(attribute: Attribute | undefined, report: Report): Pick<ToolDefinition, "files"> {
  if (attribute === undefined) return {};
  const parts = commaSeparated(attribute);
  if (parts === undefined) {
    reportPart(String(attribute.value), form, attribute, report);
    return {};
  }
  const files = { read: new Set<string>(), write: new Set<string>() };
  for (const part of parts.length === 1 && parts[0] === "none" ? [] : parts) {
    const entry = entryOf(part);
    if ("hint" in entry) reportPart(part, entry.hint, attribute, report);
    else files[entry.kind].add(entry.path);
  }
  return { files: { read: [...files.read], write: [...files.write] } };
}

function entryOf(part: string): { readonly kind: keyof ToolFiles; readonly path: string } | { readonly hint: string } {
  const [, word, path = ""] = /^([a-z]+)[ \t]*:[ \t]*(.*)$/is.exec(part) ?? [];
  const kind = kinds.find((known) => known === word);
  if (kind === undefined) return { hint: `${form}: each path has its \`read:\` or \`write:\`` };
  const hint = pathProblem(path);
  return hint === undefined ? { kind, path: plainPath(path) } : { hint };
}

/** Why a tool cannot be restricted to a path; undefined if it can. */
function pathProblem(path: string): string | undefined {
  if (path === "" || /\p{Cc}/u.test(path)) return form;
  if (path.includes("\\") || /^[a-z]:/i.test(path)) return "write paths with `/`, as in `data/**`";
  if (/^[a-z][a-z0-9+.-]*:/i.test(path)) return "write a path, as in `data/**`: hosts belong in `network`";
  if (path.split("/").includes("..")) return "write an absolute path, or one within the agent directory, without `..`";
  if (path.startsWith("~")) return "write the whole path: `~` is not expanded";
  if (path.startsWith("!")) return "name what the tool may access: everything else is denied";
  const isVague = path.startsWith("/") && !/^\/[^/*?]+(?:\/|$)/.test(path);
  return isVague ? "begin an absolute path with the name of a folder, as in `/srv/data/**`" : undefined;
}

/** `./data//` and `data/**` are one path. */
function plainPath(path: string): string {
  const names = path.split("/").filter((name) => name !== "" && name !== ".");
  const plain = `${path.startsWith("/") ? "/" : ""}${names.join("/")}`;
  if (plain === "") return "**";
  return /(?:\/|\/\.)$/.test(path) ? `${plain}/**` : plain;
}

function reportPart(part: string, hint: string, attribute: Attribute, report: Report): void {
  report({
    rule: "tool-files",
    offset: attribute.offset,
    message: `unexpected ${quoted(part)} in \`files\`, expected \`read:\` or \`write:\` and a path such as \`data/**\``,
    hint,
  });
}
