import { isRecord } from "@mdx-ai/base";
import type { Finding } from "@mdx-ai/base/schema";
import { hostProblem } from "../host-pattern.ts";
import { quoted } from "../report.ts";
import { offsetOf, type SettingsReading } from "./settings-reading.ts";

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

/** The paths of `sandbox.read` and `sandbox.write` as they are written, wrong ones included. */
export function sandboxPaths(reading: SettingsReading): readonly LocatedPath[] {
  const { sandbox } = reading.yaml.value;
  if (!isRecord(sandbox)) return [];
  return (["read", "write"] as const).flatMap((access) => {
    const paths = sandbox[access];
    if (!Array.isArray(paths)) return [];
    return paths.flatMap((path: unknown, index) =>
      typeof path === "string" && path !== ""
        ? [{ access, path, offset: offsetOf(reading, ["sandbox", access, String(index)], "value") }]
        : [],
    );
  });
}

/** What is wrong with a path that the sandbox is to show. */
export function checkPath(path: unknown, name: string): readonly Finding[] {
  const text = String(path);
  const found = problemOf(text);
  if (found === undefined) return [];
  const message = `unexpected ${quoted(text)}${found.seen} in \`${name}\`, expected an absolute path, or one such as \`~/data\``;
  return [{ message, hint: found.hint }];
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
  if (/[*?[\]{}]/.test(path))
    return { seen: " with wildcards", hint: "name the folder; everything inside it is included" };
  if (/\p{Cc}/u.test(path)) return { seen: " with a control character", hint: "write the path without it" };
  if (/(^|\/)\.\.?(\/|$)/.test(path)) return { seen: " with `.` or `..`", hint: "write the path without them" };
  if (/^~?\//.test(path)) return undefined;
  return { seen: "", hint: "begin it with `/`, or with `~/` for the home folder" };
}

/** What is wrong with a host that the sandbox is to let through. */
export function checkHost(host: unknown, name: string): readonly Finding[] {
  const text = String(host);
  const found = hostProblem(text);
  if (found === undefined) return [];
  const message = `unexpected ${quoted(text)}${found.seen} in \`${name}\`, expected a host such as \`api.example.com\``;
  return [{ message, hint: text === "*" ? "write `network: all` for all hosts" : found.hint }];
}
