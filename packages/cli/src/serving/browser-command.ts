import { isAbsolute } from "node:path";
import { type Environment, looksSecret } from "@mdx-ai/base";
import { findProgram } from "@mdx-ai/base/disk";
import { localDisplays } from "../terminal/take-out-commands.ts";

/**
 * The words that open an address in the user's browser: the first command of `BROWSER` that is on PATH or an absolute path (a list with `:`,
 * the address in place of `%s` or at the end), else that of the system, which needs a display. Undefined if there is none.
 */
export function browserCommand(
  address: string,
  environment: Environment,
  platform: NodeJS.Platform = process.platform,
): readonly string[] | undefined {
  const chosen = (environment["BROWSER"] ?? "").split(":").filter((command) => command.trim() !== "");
  const systems = localDisplays(environment, platform).length > 0 ? [platform === "darwin" ? "open" : "xdg-open"] : [];
  for (const command of chosen.length > 0 ? chosen : systems) {
    const [name = "", ...words] = command.trim().split(/\s+/);
    const path = isAbsolute(name) ? name : findProgram(name, { environment, outside: [] });
    if (path === undefined) continue;
    const hasPlace = words.some((word) => word.includes("%s"));
    return [path, ...words.map((word) => word.replaceAll("%s", address)), ...(hasPlace ? [] : [address])];
  }
  return undefined;
}

/** The user's environment without keys, for a program that does not need them. */
export const withoutKeys = (environment: Environment): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      value === undefined || looksSecret(name, value) ? [] : [[name, value]],
    ),
  );
