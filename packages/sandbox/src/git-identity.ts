import type { Environment } from "@mdx-ai/base";
import { type ContainerSearch, findOutside } from "./find-container.ts";

/** Milliseconds for which git may read its settings. */
const MAX_MILLISECONDS = 2_000;

/** The user's settings of git that a commit needs, in order. */
export type GitIdentity = readonly (readonly [key: string, value: string])[];

/** The user's name and address as git knows them in a folder; none if git is missing or has none. Never rejects. */
export async function readGitIdentity(options: ContainerSearch, cwd: string): Promise<GitIdentity> {
  const git = findOutside("git", options);
  if (git === undefined) return [];
  try {
    const { stdout, exited } = Bun.spawn([git, "config", "--null", "--get-regexp", "^user\\.(name|email)$"], {
      ...{ cwd, env: options.environment, stdin: "ignore", stdout: "pipe", stderr: "ignore" },
      ...{ timeout: MAX_MILLISECONDS, killSignal: "SIGKILL" },
    });
    const [text] = await Promise.all([new Response(stdout).text(), exited]);
    return text.split("\0").flatMap((entry) => {
      const [key, ...value] = entry.split("\n");
      return key === undefined || key === "" ? [] : [[key, value.join("\n")] as const];
    });
  } catch {
    // Git then asks for them.
    return [];
  }
}

/** The variables that give git these settings behind those of the environment. Options of git, such as `-c`, win over them. */
export function identityVariables(identity: GitIdentity, environment: Environment): Readonly<Record<string, string>> {
  if (identity.length === 0) return {};
  const first = Number(environment["GIT_CONFIG_COUNT"] ?? 0) || 0;
  const pairs = identity.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${first + index}`, key] as const,
    [`GIT_CONFIG_VALUE_${first + index}`, value] as const,
  ]);
  return { ...Object.fromEntries(pairs), GIT_CONFIG_COUNT: String(first + identity.length) };
}
