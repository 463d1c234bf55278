import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import type { Environment } from "@mdx-ai/models";
import { isWithin, realPlace } from "../files/real-place.ts";

/** Folders and files of a home folder that hold keys, credentials, or what was typed and may hold some. */
const HOME_SECRETS: readonly string[] = [
  ...[".ssh", ".gnupg", ".pki", ".password-store", ".local/share/keyrings", ".config/op", ".config/sops", ".age"],
  ...[".aws", ".azure", ".kube", ".oci", ".config/gcloud", ".config/doctl", ".config/rclone", ".config/hub"],
  ...[
    ".config/gh",
    ".config/glab-cli",
    ".git-credentials",
    ".config/git/credentials",
    ".netrc",
    "_netrc",
    ".gitcookies",
  ],
  ...[
    ".npmrc",
    ".yarnrc",
    ".yarnrc.yml",
    ".bunfig.toml",
    ".pypirc",
    ".config/pip",
    ".gem/credentials",
    ".m2/settings.xml",
  ],
  ...[
    ".cargo/credentials",
    ".cargo/credentials.toml",
    ".gradle/gradle.properties",
    ".composer/auth.json",
    ".config/composer",
  ],
  ...[".docker", ".config/containers/auth.json", ".terraform.d", ".terraformrc", ".vault-token", ".config/helm"],
  ...[".pgpass", ".my.cnf", ".mylogin.cnf", ".s3cfg", ".boto", ".databrickscfg", ".snowflake", ".wgetrc", ".env"],
  ...[
    ".config/anthropic",
    ".anthropic",
    ".config/openai",
    ".claude.json",
    ".claude/.credentials.json",
    ".codex",
    ".gemini",
  ],
  ...[".config/google-chrome", ".config/chromium", ".config/BraveSoftware", ".config/microsoft-edge", ".mozilla"],
  ...[".thunderbird", "snap/firefox", "Library/Keychains", "Library/Cookies", "Library/Safari"],
  ...["Library/Application Support/Google/Chrome", "Library/Application Support/Firefox"],
  ...[".bash_history", ".zsh_history", ".zhistory", ".sh_history", ".history", ".local/share/fish/fish_history"],
  ...[
    ".python_history",
    ".node_repl_history",
    ".psql_history",
    ".mysql_history",
    ".sqlite_history",
    ".rediscli_history",
  ],
  ...[".lesshst", ".viminfo", ".config/mdx-ai", ".local/state/mdx-ai", ".cache/mdx-ai"],
];

/** Files of the system that tell passwords and keys. */
const SYSTEM_SECRETS: readonly string[] = [
  ...[
    "/etc/shadow",
    "/etc/shadow-",
    "/etc/gshadow",
    "/etc/gshadow-",
    "/etc/sudoers",
    "/etc/sudoers.d",
    "/etc/ssl/private",
  ],
  ...["/etc/krb5.keytab", "/run/secrets", "/var/run/secrets", "/proc/kcore", "/proc/keys", "/dev/mem", "/dev/kmem"],
];

/** What a process knows is told there: its variables, its memory, its files. */
const OF_A_PROCESS = /^\/proc\/(\d+|self|thread-self)(\/|$)/;

/** A file of variables, as programs load them; those that are made to be copied hold none. */
const VARIABLES_FILE = /^\.env(\.(?!example$|sample$|template$|dist$|defaults$)[^/]*)?$/;

/** What an agent keeps in its directory. */
const RECORDS = /\/(sessions|state|logs)(?=\/|$)/g;

/**
 * The folders and files, absolute and real, that hold secrets of this user and of mdx-ai itself; whether they are there or
 * not. Looks at the file system for those that are symbolic links. Never throws.
 */
export function secretPlaces(environment: Environment): readonly string[] {
  const homes = [environment["HOME"], environment["USERPROFILE"], homedir()].filter(isFolder);
  const own = ["XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"]
    .map((name) => environment[name])
    .filter(isFolder)
    .map((folder) => join(folder, "mdx-ai"));
  const stated = homes.flatMap((home) => HOME_SECRETS.map((place) => join(home, place)));
  const all = [...stated, ...own, ...SYSTEM_SECRETS];
  return [...new Set([...all, ...all.filter((path) => existsSync(path)).map(real)])];
}

const isFolder = (path: string | undefined): path is string => path !== undefined && isAbsolute(path) && path !== "/";

function real(path: string): string {
  try {
    return realPlace(path);
  } catch {
    return path;
  }
}

/** Where an agent lives, and what counts as secret around it. */
export interface SecretSurroundings {
  /** Absolute and real. */
  readonly agentDir: string;
  /** As `secretPlaces` gives them. */
  readonly places: readonly string[];
}

/**
 * Why a real path is secret: "a place of secrets" or the like, without a full stop; undefined where it is not. An agent that
 * lives in a place of secrets may look at its own files.
 */
export function secrecyOf(path: string, { agentDir, places }: SecretSurroundings): string | undefined {
  // A file system may not tell upper case from lower, and a name that is held back for nothing is asked about.
  const name = path.toLowerCase();
  const home = agentDir.toLowerCase();
  const isOwn = isWithin(home, name);
  const holds = (place: string): boolean => isWithin(place, name) && !(isOwn && isWithin(place, home));
  if (OF_A_PROCESS.test(name)) return "what a process knows";
  if (places.some((place) => holds(place.toLowerCase()))) return "a place of secrets";
  if (VARIABLES_FILE.test(name.slice(name.lastIndexOf("/") + 1))) return "a file of variables, which may hold keys";
  return isRecordOfAnother(path, agentDir) ? "what another agent has recorded" : undefined;
}

function isRecordOfAnother(path: string, agentDir: string): boolean {
  for (const { index } of path.matchAll(RECORDS)) {
    const folder = path.slice(0, index) || dirname(path);
    if (folder !== agentDir && existsSync(join(folder, "agent.mdx"))) return true;
  }
  return false;
}
