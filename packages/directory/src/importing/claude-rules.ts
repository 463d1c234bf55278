import { join } from "node:path";
import { isRecord, jsonValue } from "@mdx-ai/base";
import {
  basicTool,
  builtinCalled,
  builtinsReplacing,
  builtinsThat,
  type CodingToolName,
  counterpartOf,
  type HookSettings,
  type PermissionAction,
  permissionPattern,
} from "@mdx-ai/parser";
import { DirectoryError } from "../directory-error.ts";
import { isFile } from "../paths.ts";
import { translatedHooks } from "./claude-hooks.ts";
import { missingTool, withBlank } from "./counterparts.ts";
import { type ImportedRule, type ImportNote, notesOn } from "./imported-agent.ts";
import { readUtf8 } from "./source-file.ts";

/** The translated settings of a `.claude` folder. */
export interface ImportedSettings {
  readonly rules: readonly ImportedRule[];
  /** The hooks of the shared settings; those of `settings.local.json` are personal. */
  readonly hooks?: HookSettings;
  readonly notes: readonly ImportNote[];
}

/** In this order, since here the last matching rule decides, while there denials take precedence, then questions. */
const ACTIONS = ["allow", "ask", "deny"] as const satisfies readonly PermissionAction[];

/**
 * The permission rules of a `.claude` folder. A grant is translated only if it grants no more here. Grants in
 * `settings.local.json` are personal and never translated. Values of other settings may be keys and are not shown.
 * Throws `DirectoryError` ("import") if a file is not JSON: its denials would be lost.
 */
export function claudeSettings(folder: string, root: string): ImportedSettings {
  const shared = readSettings(join(folder, "settings.json"), { root, grants: true });
  const local = readSettings(join(folder, "settings.local.json"), { root, grants: false });
  const of = (action: PermissionAction): readonly ImportedRule[] =>
    [...shared.rules, ...local.rules].filter(([, ofRule]) => ofRule === action);
  const notes = [...shared.notes, ...local.notes];
  return { rules: ACTIONS.flatMap(of), notes, ...(shared.hooks && { hooks: shared.hooks }) };
}

interface SettingsReading {
  readonly root: string;
  /** Whether its grants are translated. */
  readonly grants: boolean;
}

function readSettings(path: string, { root, grants }: SettingsReading): ImportedSettings {
  if (!isFile(path)) return { rules: [], notes: [] };
  const { settings, lineOf } = readJson(path);
  const { notes, translated, leftOut } = notesOn(path);
  const { permissions, hooks: written, ...others } = settings;
  const hooks = translatedHooks(written, { lineOf, leftOut, translated, isPersonal: !grants });
  const lists = isRecord(permissions) ? permissions : {};
  const rules = ACTIONS.flatMap((action) =>
    textsIn(lists[action]).flatMap((rule): readonly ImportedRule[] => {
      const line = lineOf(rule);
      const found = action === "allow" && !grants ? "it is a personal grant" : translateRule({ rule, action, root });
      if (typeof found === "string") {
        leftOut(`permission ${action} ${rule}: ${found}`, line);
        return [];
      }
      translated(`permission ${action} ${rule} → ${found.join(", ")}`, line);
      return found.map((pattern) => [pattern, action]);
    }),
  );
  for (const key of Object.keys(lists)) {
    if (!ACTIONS.some((action) => action === key)) leftOut(`permissions.${key}`, lineOf(key));
  }
  for (const [key, value] of Object.entries(others)) {
    const names = isRecord(value) ? Object.keys(value).join(", ") : "";
    leftOut(names === "" ? key : `${key}: ${names}`, lineOf(key));
  }
  return { rules, notes, ...(hooks && { hooks }) };
}

function readJson(path: string): {
  readonly settings: Readonly<Record<string, unknown>>;
  lineOf(text: string): number | undefined;
} {
  const text = new TextDecoder().decode(readUtf8(path));
  const lineOf = (word: string): number | undefined => {
    const index = text.indexOf(JSON.stringify(word));
    return index === -1 ? undefined : text.slice(0, index).split(/\r\n?|\n/).length;
  };
  const settings: unknown = jsonValue(text);
  if (isRecord(settings)) return { settings, lineOf };
  throw new DirectoryError("import", `${path} is not a JSON object; fix it or remove it, or its denials are lost`);
}

const textsIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((text) => typeof text === "string") : [];

interface Translation {
  readonly rule: string;
  readonly action: PermissionAction;
  /** The base of the rule's relative paths. Absolute. */
  readonly root: string;
}

/** The patterns of a rule, or why it has none. A grant never matches more here; a denial or a question never less. */
function translateRule({ rule, action, root }: Translation): readonly string[] | string {
  const [, name = rule, subject] = /^([^()]+)(?:\((.*)\))?$/s.exec(rule.trim()) ?? [];
  const found = patternsOf({ name, subject: subject === "*" || subject === "**" ? undefined : subject, action, root });
  if (typeof found === "string") return found;
  const malformed = found.find((pattern) => permissionPattern(pattern) === undefined);
  return malformed === undefined ? found : "it has no equivalent";
}

interface Rule extends Omit<Translation, "rule"> {
  readonly name: string;
  /** Absent for all calls. */
  readonly subject: string | undefined;
}

/**
 * Rule names there are capitalized. A rule for a tool that writes files covers all such tools; a grant for a tool that is not the usual
 * name of its counterpart covers only that counterpart; a grant for a tool without a counterpart covers nothing.
 */
function ruledTool(name: string, action: PermissionAction): CodingToolName | undefined {
  if (!/^[A-Z]/.test(name)) return undefined;
  const tool = builtinCalled(name);
  const writes = (one: CodingToolName): boolean => builtinsThat("writes").includes(one);
  if (tool === undefined)
    return action !== "allow" && builtinsReplacing(name).some(writes) ? basicTool.writes : undefined;
  const isRarer = counterpartOf(tool) !== name.toLowerCase();
  return writes(tool) && !(isRarer && action === "allow") ? basicTool.writes : tool;
}

function patternsOf({ name, subject, action, root }: Rule): readonly string[] | string {
  if (name === "*") return action === "allow" ? "it would allow every tool" : ["*"];
  const tool = ruledTool(name, action);
  if (tool === undefined) return missingTool(name);
  if (!EFFECTS.some((effect) => builtinsThat(effect).includes(tool))) return hostPatterns(tool, subject, action);
  if (tool !== basicTool.runs) return pathPatterns({ tool, subject, action, root });
  return subject === undefined ? [tool] : [`${tool}(${commandPattern(subject, action)})`];
}

const EFFECTS = ["reads", "writes", "runs"] as const;

/** `domain:example.com` there means every port of a host. A denial of something else becomes one of all calls. */
function hostPatterns(
  tool: CodingToolName,
  subject: string | undefined,
  action: PermissionAction,
): readonly string[] | string {
  if (subject === undefined) return [tool];
  const host = /^domain:([\w.*-]+)$/.exec(subject)?.[1];
  if (host !== undefined) return action === "allow" ? [`${tool}(${host})`] : [`${tool}(${host})`, `${tool}(${host}:*)`];
  return action === "allow" ? "only hosts can be allowed" : [tool];
}

/** `git:*` there means `git` and its arguments; in older versions it was a plain prefix, which only denials keep. */
function commandPattern(subject: string, action: PermissionAction): string {
  const literal = subject.replace(/[?\\]/g, "\\$&");
  return action === "allow" ? withBlank(literal) : literal.replace(/(?::| )\*$/, "*");
}

interface PathRule extends Omit<Translation, "rule"> {
  readonly tool: CodingToolName;
  readonly subject: string | undefined;
}

/**
 * Paths as in a .gitignore: `//` starts at the root of the file system, `/` and `./` at the project, and a name without a
 * slash matches at any depth. Denials also apply from the agent directory, wherever it is, and match more than the choices in
 * brackets.
 */
function pathPatterns({ tool, subject, action, root }: PathRule): readonly string[] | string {
  const project = root.replace(/[*?\\]/g, "\\$&");
  if (subject === undefined) return action === "allow" ? [`${tool}(${project}/**)`] : [tool];
  const pattern = action === "allow" ? subject : subject.replace(/\[[^\]]*\]|\{[^}]*\}/g, "*");
  if (/[[\]{}!]/.test(pattern)) return "its brackets or `!` have no equivalent";
  if (pattern.startsWith("//")) return [`${tool}(${pattern.slice(1)})`];
  if (pattern === "~" || pattern.startsWith("~/")) return [`${tool}(${pattern})`];
  const path = pattern.replace(/^(?:\.?\/)+/, "");
  if (path === "" || path === ".") return "its path has no equivalent";
  if (path.split("/").includes("..")) return [`${tool}(${join(project, path)})`];
  const isAnywhere = !pattern.startsWith("/") && !pattern.startsWith("./") && !/\/./.test(pattern);
  const paths = isAnywhere ? [`**/${path}`] : [path];
  const inProject = paths.map((one) => `${tool}(${project}/${one})`);
  return action === "allow" ? inProject : [...inProject, ...paths.map((one) => `${tool}(${one})`)];
}
