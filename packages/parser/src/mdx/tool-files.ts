import { quoted, type Report } from "../report.ts";
import type { ToolDefinition, ToolFiles } from "../types/tool-definition.ts";
import { type Attribute, commaSeparated } from "./attributes.ts";

const kinds = ["read", "write"] as const;
const form = 'write `files="read:data/**, write:out/**"`';

/**
 * Reads `files`: patterns of paths with `read:` or `write:` before each, separated by commas, or `none`. Any other
 * pattern is reported and left out.
 */
export function readFiles(attribute: Attribute | undefined, report: Report): Pick<ToolDefinition, "files"> {
  if (attribute === undefined) return {};
  const parts = commaSeparated(attribute);
  if (parts === undefined) {
    reportPart(String(attribute.value), { problem: { hint: form }, attribute, report });
    return {};
  }
  const files = { read: new Set<string>(), write: new Set<string>() };
  for (const part of parts.length === 1 && parts[0] === "none" ? [] : parts) {
    const entry = entryOf(part);
    if ("hint" in entry) reportPart(part, { problem: entry, attribute, report });
    else files[entry.kind].add(entry.path);
  }
  return { files: { read: [...files.read], write: [...files.write] } };
}

interface Entry {
  readonly kind: keyof ToolFiles;
  readonly path: string;
}

interface PartProblem {
  readonly hint: string;
}

function entryOf(part: string): Entry | PartProblem {
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

interface PartContext {
  readonly problem: PartProblem;
  readonly attribute: Attribute;
  readonly report: Report;
}

function reportPart(part: string, { problem, attribute, report }: PartContext): void {
  report({
    rule: "tool-files",
    offset: attribute.offset,
    message: `unexpected ${quoted(part)} in \`files\`, expected \`read:\` or \`write:\` and a path such as \`data/**\``,
    hint: problem.hint,
  });
}
