import { existsSync, readdirSync } from "node:fs";
import { basename, isAbsolute, join } from "node:path";
import { attempt, DATA_FOLDERS, type Environment, isWithin } from "@mdx-ai/base";
import { isAgentDirectory, readBytes, readOpened, realPathOrSame, systemHome } from "@mdx-ai/base/disk";

/** Names of files with variables that programs load. Templates, such as `.env.example`, are not among them. */
export const VARIABLES_FILE: RegExp = /^\.env(?:\.(?!example$|sample$|template$|dist$|defaults$).*)?$/is;

const isVariablesFile = (name: string): boolean => VARIABLES_FILE.test(name);

/** Paths in a home folder that hold keys, credentials, or recorded input, such as a shell history. */
const HOME_SECRETS: readonly string[] = [
  "Library/Application Support",
  ...`
  .ssh .gnupg .pki .age .password-store .local/share/keyrings .config/op .config/sops .env
  .aws .azure .kube .oci .config/gcloud .config/doctl .config/rclone .config/helm .terraform.d .terraformrc .vault-token
  .git-credentials .config/git/credentials .config/gh .config/hub .config/glab-cli .gitcookies .netrc _netrc .wgetrc
  .npmrc .yarnrc .yarnrc.yml .bunfig.toml .pypirc .config/pip .gem/credentials .cargo/credentials .cargo/credentials.toml
  .m2/settings.xml .gradle/gradle.properties .composer/auth.json .config/composer .docker .config/containers/auth.json
  .pgpass .my.cnf .mylogin.cnf .s3cfg .boto .databrickscfg .snowflake
  .anthropic .config/anthropic .config/openai .claude.json .claude/.credentials.json .codex .gemini
  .config/google-chrome .config/chromium .config/BraveSoftware .config/microsoft-edge .mozilla .thunderbird snap/firefox
  Library/Keychains Library/Cookies Library/Safari
  .bash_history .zsh_history .zhistory .sh_history .history .local/share/fish/fish_history .lesshst .viminfo
  .python_history .node_repl_history .psql_history .mysql_history .sqlite_history .rediscli_history
  .config/mdx-ai .local/state/mdx-ai .cache/mdx-ai`
    .trim()
    .split(/[ \n]+/),
];

/** Files of the system that hold passwords and keys. */
const SYSTEM_SECRETS: readonly string[] = `
  /etc/shadow /etc/shadow- /etc/gshadow /etc/gshadow- /etc/sudoers /etc/sudoers.d /etc/ssl/private /etc/krb5.keytab
  /run/secrets /var/run/secrets /proc/kcore /proc/keys /dev/mem /dev/kmem`
  .trim()
  .split(/[ \n]+/);

/**
 * The paths that hold secrets of this user and of mdx-ai, existing or not, and the targets of symbolic links. Absolute. Never
 * throws.
 */
export function secretPaths(environment: Environment): readonly string[] {
  const stated = [environment["HOME"], environment["USERPROFILE"], systemHome()].filter(isFolder);
  const homes = new Set([...stated, ...stated.map(realPathOrSame)]);
  const own = ["XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"]
    .map((name) => environment[name])
    .filter(isFolder)
    .map((folder) => join(folder, "mdx-ai"));
  const fixed = [...own, ...SYSTEM_SECRETS];
  const targets = [...own, ...SYSTEM_SECRETS.filter((path) => existsSync(path))].map(realPathOrSame);
  return [...new Set([...fixed, ...[...homes].flatMap(secretsOfHome), ...targets])];
}

/** Paths in a home folder whose content mdx-ai and Bun trust at their next start. */
const PROGRAM_FOLDERS_OF_HOME: readonly string[] = [
  ...[".config/mdx-ai", ".local/state/mdx-ai", ".cache/mdx-ai"],
  ...[".local/share/mdx-ai/agents", ".local/share/mdx-ai/projects"],
  // Transpiled code that Bun caches.
  ...[".cache/bun", ".bun/install/cache"],
];

/**
 * The folders whose content mdx-ai and Bun trust at their next start, existing or not: settings, trust, approvals, added agents, and
 * caches of definitions and code. Absolute.
 */
export function programFolders(environment: Environment): readonly string[] {
  const within = (variable: string, names: readonly string[]): readonly string[] => {
    const folder = environment[variable];
    return isFolder(folder) ? names.map((name) => join(folder, name)) : [];
  };
  return [
    ...["XDG_CONFIG_HOME", "XDG_STATE_HOME"].flatMap((variable) => within(variable, ["mdx-ai"])),
    ...within("XDG_DATA_HOME", ["mdx-ai/agents", "mdx-ai/projects"]),
    ...within("XDG_CACHE_HOME", ["mdx-ai", "bun"]),
    ...within("HOME", PROGRAM_FOLDERS_OF_HOME),
  ];
}

const isFolder = (path: string | undefined): path is string => path !== undefined && isAbsolute(path) && path !== "/";

function secretsOfHome(home: string): readonly string[] {
  // Listing the folder once excludes most of them.
  const names = new Set(attempt(() => readdirSync(home)));
  const exists = (place: string): boolean => names.has(place.split("/", 1)[0] ?? "") && existsSync(`${home}/${place}`);
  return [
    ...HOME_SECRETS.map((place) => `${home}/${place}`),
    ...HOME_SECRETS.filter(exists).map((place) => realPathOrSame(`${home}/${place}`)),
  ];
}

/** Paths that expose a process: its variables, memory and open files. */
const OF_A_PROCESS = /^\/proc\/(\d+|self|thread-self)(\/|$)/;

const RECORDS = new RegExp(`/(?:${DATA_FOLDERS.join("|")})(?=/|$)`, "g");

/** An agent directory, and the secret paths. */
interface SecretPlaces {
  /** Absolute and real. */
  readonly agentDir: string;
  /** As `secretPaths` gives them, in lower case. */
  readonly secrets: readonly string[];
}

/** The kinds of secret paths, as text for people. */
const SECRECY = {
  process: "the data of a process",
  secrets: "a secret path",
  variables: "a file of variables, which may contain keys",
  records: "the records of another agent",
} as const;

/** Why a real path is secret, such as "a secret path"; undefined if it is not. */
export function secrecyOf(path: string, places: SecretPlaces): string | undefined {
  const kind = secretKindOf(path, places);
  return kind && SECRECY[kind];
}

/**
 * The kind of a secret real path; undefined if it is not secret. An agent whose directory is inside a folder of secrets may read
 * its own files.
 */
export function secretKindOf(path: string, { agentDir, secrets }: SecretPlaces): keyof typeof SECRECY | undefined {
  // The file system may ignore case. A false match costs only a question.
  const name = path.toLowerCase();
  const home = agentDir.toLowerCase();
  const isOwn = isWithin(home, name);
  if (OF_A_PROCESS.test(name)) return "process";
  if (secrets.some((place) => isWithin(place, name) && !(isOwn && isWithin(place, home)))) return "secrets";
  if (isVariablesFile(basename(name))) return "variables";
  return isRecordOfAnother(path, agentDir) ? "records" : undefined;
}

function isRecordOfAnother(path: string, agentDir: string): boolean {
  for (const { index } of path.matchAll(RECORDS)) {
    const folder = path.slice(0, index);
    if (folder !== agentDir && isAgentDirectory(folder || "/")) return true;
  }
  return false;
}

/** The start of a private key: PEM and OpenSSH, PuTTY, age. */
const PRIVATE_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY|^PuTTY-User-Key-File-|^AGE-SECRET-KEY-/m;

/** The bytes that are searched for it. */
const HEAD = 4_096;

/** What secret files contain, by pattern of their path. */
const MEANINGS: readonly (readonly [path: RegExp, meaning: string])[] = [
  [/history$|\.lesshst$|\.viminfo$/, "text that you typed in other programs, which may contain passwords"],
  [
    /chrom|brave|microsoft-edge|mozilla|thunderbird|firefox|safari|cookies/i,
    "data of a browser or a mail program, such as cookies and passwords",
  ],
];

/** What a real path reveals, for a question about it, such as "a private key"; a general text if unknown. Never throws. */
export function secretMeaning(path: string, places: SecretPlaces): string | undefined {
  if (isPrivateKey(path)) return "a private key";
  switch (secretKindOf(path, places)) {
    case "variables":
      return SECRECY.variables;
    case "secrets":
      return MEANINGS.find(([pattern]) => pattern.test(path))?.[1] ?? "it may contain passwords, tokens or keys";
    default:
      return undefined;
  }
}

const isPrivateKey = (path: string): boolean =>
  attempt(() => readOpened(path, (file) => PRIVATE_KEY.test(readBytes(file, 0, HEAD).toString("latin1")))) ?? false;
