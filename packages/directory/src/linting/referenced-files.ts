import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { isRecord, isText } from "@mdx-ai/base";
import { namesIn } from "../paths.ts";
import { type LintedFile, pointAt } from "./linted-file.ts";

/** A file of the project or the plugin in a command of a hook. */
const PROGRAM = /\$\{?(?:CLAUDE_PROJECT_DIR|CLAUDE_PLUGIN_ROOT)\}?["']?\/([\w./-]+)/g;

/** What a command does that looks for its program first, or goes on without it. */
const GUARD = /\[ -|\btest -|\|\||2>|command -v|\bif\b/;

/** Whether a command needs a program in a folder of its own: one beside the settings may not have been handed on. */
const isPlain = (path: string, command: string): boolean => /\/.*\.\w+$/.test(path) && !GUARD.test(command);

/** Reports programs of hooks that do not exist, although their folder does. */
export function lintHookFiles({ text, root, report }: LintedFile): void {
  for (const match of text.matchAll(PROGRAM)) {
    const [, path = ""] = match;
    if (
      !isPlain(path, lineAround(text, match.index)) ||
      existsSync(join(root, path)) ||
      !existsSync(join(root, dirname(path)))
    )
      continue;
    report("hook-file", {
      at: pointAt(text, match.index),
      message: `there is no \`${path}\`, so the hook fails`,
      hint: "correct the path, or add the file to the repository",
    });
  }
}

const lineAround = (text: string, offset: number): string =>
  text.slice(text.lastIndexOf("\n", offset) + 1, (text.indexOf("\n", offset) + 1 || text.length + 1) - 1);

/** Keys of a plugin manifest that name files or folders. */
const PATH_KEYS: readonly string[] = [
  "commands",
  "agents",
  "skills",
  "hooks",
  "mcpServers",
  "lspServers",
  "outputStyles",
];

/** Reports paths of a plugin manifest that lead nowhere or out of the plugin. A manifest without its plugin says nothing about them. */
export function lintPluginPaths(manifest: Readonly<Record<string, unknown>>, { text, root, report }: LintedFile): void {
  const isAlone = namesIn(root).every((name) => name === ".claude-plugin");
  for (const key of PATH_KEYS) {
    for (const path of [manifest[key]].flat().filter(isText)) {
      if (path.includes("${")) continue;
      const at = pointAt(text, Math.max(0, text.indexOf(JSON.stringify(path))));
      const problem = formProblem(path);
      if (problem !== undefined) {
        const hint = "write a path within the plugin that starts with `./`";
        report("plugin-manifest", { at, message: `\`${key}\`: ${problem}`, hint });
      } else if (!isAlone && !existsSync(join(root, path))) {
        const message = `\`${key}\`: there is no \`${path}\` in the plugin`;
        report("plugin-path", {
          at,
          message,
          hint: "correct the path, which starts at the folder around `.claude-plugin`",
        });
      }
    }
  }
}

function formProblem(path: string): string | undefined {
  if (path.split("/").includes("..")) return `\`${path}\` leads out of the plugin`;
  return path.startsWith("./") ? undefined : `\`${path}\` does not start with \`./\``;
}

/** The folders of a plugin, which are beside `.claude-plugin`. */
const PARTS: readonly string[] = ["commands", "agents", "skills", "hooks", ".mcp.json"];

/** Reports parts of a plugin within `.claude-plugin`, where they are not looked for. */
export function lintPluginPlace(manifest: Readonly<Record<string, unknown>>, { path, report }: LintedFile): void {
  for (const part of PARTS) {
    if (!existsSync(join(dirname(path), part)) || isNamed(manifest, part)) continue;
    const message = `\`.claude-plugin/${part}\` is not read`;
    report("plugin-place", { message, hint: `move \`${part}\` beside \`.claude-plugin\`` });
  }
}

const isNamed = (manifest: unknown, part: string): boolean =>
  isRecord(manifest) && JSON.stringify(manifest).includes(`.claude-plugin/${part}`);
