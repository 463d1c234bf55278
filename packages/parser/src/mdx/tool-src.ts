import { quoted, type Report } from "../report.ts";
import type { Attribute } from "./attributes.ts";

const endings = /\.[cm]?[jt]sx?$/i;
const example = "`./tools/weather.ts`";

/** Reads `src`: the path of a file within the agent directory, without `.` and `..`; what is none is reported. */
export function readSrc(attribute: Attribute | undefined, report: Report): string | undefined {
  if (attribute === undefined) return undefined;
  const written = typeof attribute.value === "string" ? attribute.value : "";
  const path = plainPath(written);
  const hint = pathProblem(written, path);
  if (hint === undefined) return path;
  report({
    rule: "tool-source",
    offset: attribute.offset,
    message: `unexpected ${quoted(String(attribute.value))} as \`src\`, expected the path of a file such as ${example}`,
    hint,
  });
  return undefined;
}

/** Undefined where the path leads out of the folder. */
function plainPath(written: string): string | undefined {
  const names: string[] = [];
  for (const name of written.split("/")) {
    if (name === "" || name === ".") continue;
    if (name !== "..") names.push(name);
    else if (names.pop() === undefined) return undefined;
  }
  return names.join("/");
}

function pathProblem(written: string, path: string | undefined): string | undefined {
  if (written.trim() === "" || /\p{Cc}/u.test(written)) return `write \`src=${example.replaceAll("`", '"')}\``;
  if (written.includes("\\")) return `write the path with \`/\`, as in ${example}`;
  if (/^[a-z][a-z0-9+.-]*:/i.test(written))
    return "copy the file into the agent directory: code is only loaded from there";
  if (written.startsWith("/") || written.startsWith("~")) return "write the path relative to agent.mdx";
  if (path === undefined) return "copy the file into the agent directory: code is only loaded from there";
  if (written.endsWith("/") || !endings.test(path) || /\.d\.[cm]?ts$/i.test(path)) {
    return "name a TypeScript or JavaScript file, which ends in `.ts`, `.tsx`, `.mts`, `.js`, `.jsx` or `.mjs`";
  }
  return undefined;
}
