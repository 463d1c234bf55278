import type { Environment } from "@mdx-ai/base";
import { type ContainerSearch, findOutside } from "./find-container.ts";

/** How long git may take to read its settings, in milliseconds. */
const MAX_MILLISECONDS = 2_000;

/** Settings of git, in order. */
type GitSettings = readonly (readonly [key: string, value: string])[];

/** Those that a commit needs. */
export type GitIdentity = GitSettings;

/** Without the last ones, a user who signs every commit would get commits that are not signed, and no error. */
const NEEDED = "^(user\\.(name|email)|(commit|tag)\\.gpgsign)$";

/**
 * The user's name and address in git's settings for a folder, and whether the user signs; none if git is missing or has none. Never
 * rejects.
 */
export async function readGitIdentity(options: ContainerSearch, cwd: string): Promise<GitIdentity> {
  const git = findOutside("git", options);
  if (git === undefined) return [];
  try {
    const { stdout, exited } = Bun.spawn([git, "config", "--null", "--get-regexp", NEEDED], {
      ...{ cwd, env: options.environment, stdin: "ignore", stdout: "pipe", stderr: "ignore" },
      ...{ timeout: MAX_MILLISECONDS, killSignal: "SIGKILL" },
    });
    const [text] = await Promise.all([new Response(stdout).text(), exited]);
    return text.split("\0").flatMap((entry) => {
      const [key, ...value] = entry.split("\n");
      // Without `=`, a switch is on.
      return key === undefined || key === "" ? [] : [[key, value.length === 0 ? "true" : value.join("\n")] as const];
    });
  } catch {
    // Git then reports that they are missing.
    return [];
  }
}

/** Variables that add these settings after the ones already in the environment. Options such as `git -c` override them. */
export function settingVariables(settings: GitSettings, environment: Environment): Readonly<Record<string, string>> {
  if (settings.length === 0) return {};
  const first = Number(environment["GIT_CONFIG_COUNT"] ?? 0) || 0;
  const pairs = settings.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${first + index}`, key] as const,
    [`GIT_CONFIG_VALUE_${first + index}`, value] as const,
  ]);
  return { ...Object.fromEntries(pairs), GIT_CONFIG_COUNT: String(first + settings.length) };
}
