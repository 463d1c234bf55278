import { schemaAt, valueAt } from "../arguments/json-pointer.ts";
import { hostProblem } from "../host-pattern.ts";
import { quoted } from "../report.ts";
import { type Path, rangeOf, type SettingsReading } from "./setting-paths.ts";

/** A path that the user's sandbox shows, as it is written. */
export interface SandboxPath {
  readonly access: "read" | "write";
  /** Absolute, or below `~/`; without `..`. */
  readonly path: string;
}

/** The same with its offset in the document. */
export interface LocatedPath extends SandboxPath {
  readonly offset: number;
}

const LISTS = ["read", "write"] as const;

/** The paths of `sandbox.read` and `sandbox.write`, if these have an effect. */
export function sandboxPaths(reading: SettingsReading): readonly LocatedPath[] {
  return LISTS.flatMap((access) => {
    const list: Path = ["sandbox", access];
    const paths = valueAt(reading.yaml.values, list);
    if (!Array.isArray(paths) || schemaAt(reading.schema, list)?.["items"] === undefined) return [];
    return paths.flatMap((path: unknown, index) =>
      typeof path === "string" && path !== ""
        ? [{ access, path, offset: rangeOf(reading, [...list, String(index)], "value").start }]
        : [],
    );
  });
}

/** Reports invalid paths of the sandbox, and returns the paths of the settings that are left out for them. */
export function refusedPaths(reading: SettingsReading): readonly Path[] {
  const isWrong = sandboxPaths(reading).map(({ access, path, offset }) => {
    const found = problemOf(path);
    if (found === undefined) return false;
    reading.report({
      rule: "setting-type",
      offset,
      message: `unexpected ${quoted(path)}${found.seen} in \`sandbox.${access}\`, expected an absolute path, or one such as \`~/data\``,
      hint: found.hint,
    });
    return true;
  });
  return isWrong.includes(true) ? [["sandbox"]] : [];
}

interface PathProblem {
  /** Follows the path in a message. */
  readonly seen: string;
  readonly hint: string;
}

const EACH = "write each folder that agents need, such as `~/data`";

function problemOf(path: string): PathProblem | undefined {
  if (/^~?\/*$/.test(path)) {
    return { seen: path.startsWith("~") ? ", the whole home folder," : ", the whole file system,", hint: EACH };
  }
  if (/[*?[\]{}]/.test(path)) return { seen: " with wildcards", hint: "write the folder itself: all in it counts" };
  if (/\p{Cc}/u.test(path)) return { seen: " with a control character", hint: "write the path without it" };
  if (/(^|\/)\.\.?(\/|$)/.test(path)) return { seen: " with `.` or `..`", hint: "write the path without them" };
  if (/^~?\//.test(path)) return undefined;
  return { seen: "", hint: "begin it with `/`, or with `~/` for the home folder" };
}

const network: Path = ["sandbox", "network"];

/** Reports invalid hosts of `sandbox.network`, and returns the paths of the settings that are left out for them. */
export function refusedHosts(reading: SettingsReading): readonly Path[] {
  const hosts = valueAt(reading.yaml.values, network);
  if (!Array.isArray(hosts)) return [];
  const isWrong = hosts.map((host: unknown, index) => typeof host === "string" && isRefused(host, index, reading));
  return isWrong.includes(true) ? [["sandbox"]] : [];
}

function isRefused(host: string, index: number, reading: SettingsReading): boolean {
  const problem = hostProblem(host);
  if (problem === undefined) return false;
  const { start } = rangeOf(reading, [...network, String(index)], "value");
  const { seen, hint } = problem;
  reading.report({
    rule: "setting-type",
    offset: start,
    message: `unexpected ${quoted(host)}${seen} in \`sandbox.network\`, expected a host such as \`api.example.com\``,
    hint: host === "*" ? "write `network: all` for all hosts" : hint,
  });
  return true;
}
