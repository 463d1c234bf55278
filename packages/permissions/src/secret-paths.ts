import { existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { basename, isAbsolute, join } from "node:path";
import { attempt, DATA_FOLDERS, type Environment, isWithin } from "@mdx-ai/base";
import { isAgentDirectory, readBytes, readOpened, realPathOrSame } from "@mdx-ai/base/disk";

/** The names of files that hold variables which programs load; files that are made to be copied hold no keys. */
export const VARIABLES_FILE: RegExp = /^\.env(?:\.(?!example$|sample$|template$|dist$|defaults$).*)?$/is;

const isVariablesFile = (name: string): boolean => VARIABLES_FILE.test(name);

/** Folders and files of a home folder that hold keys, credentials, or typed text that may hold some. */
const HOME_SECRETS: readonly string[] = `
  .ssh .gnupg .pki .age .password-store .local/share/keyrings .config/op .config/sops .env
  .aws .azure .kube .oci .config/gcloud .config/doctl .config/rclone .config/helm .terraform.d .terraformrc .vault-token
  .git-credentials .config/git/credentials .config/gh .config/hub .config/glab-cli .gitcookies .netrc _netrc .wgetrc
  .npmrc .yarnrc .yarnrc.yml .bunfig.toml .pypirc .config/pip .gem/credentials .cargo/credentials .cargo/credentials.toml
  .m2/settings.xml .gradle/gradle.properties .composer/auth.json .config/composer .docker .config/containers/auth.json
  .pgpass .my.cnf .mylogin.cnf .s3cfg .boto .databrickscfg .snowflake
  .anthropic .config/anthropic .config/openai .claude.json .claude/.credentials.json .codex .gemini
  .config/google-chrome .config/chromium .config/BraveSoftware .config/microsoft-edge .mozilla .thunderbird snap/firefox
  Library/Keychains Library/Cookies Library/Safari Library/Application\u00a0Support
  .bash_history .zsh_history .zhistory .sh_history .history .local/share/fish/fish_history .lesshst .viminfo
  .python_history .node_repl_history .psql_history .mysql_history .sqlite_history .rediscli_history
  .config/mdx-ai .local/state/mdx-ai .cache/mdx-ai`
  .trim()
  .split(/[ \n]+/)
  .map((place) => place.replace("\u00a0", " "));

/** Files of the system that hold passwords and keys. */
const SYSTEM_SECRETS: readonly string[] = `
  /etc/shadow /etc/shadow- /etc/gshadow /etc/gshadow- /etc/sudoers /etc/sudoers.d /etc/ssl/private /etc/krb5.keytab
  /run/secrets /var/run/secrets /proc/kcore /proc/keys /dev/mem /dev/kmem`
  .trim()
  .split(/[ \n]+/);

/**
 * The folders and files, absolute, that hold secrets of this user and of mdx-ai itself, whether or not they exist, with
 * the targets of symbolic links. Never throws.
 */
export function secretPaths(environment: Environment): readonly string[] {
  const stated = [environment["HOME"], environment["USERPROFILE"], homedir()].filter(isFolder);
  const homes = new Set([...stated, ...stated.map(realPathOrSame)]);
  const own = ["XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"]
    .map((name) => environment[name])
    .filter(isFolder)
    .map((folder) => join(folder, "mdx-ai"));
  const fixed = [...own, ...SYSTEM_SECRETS];
  const targets = [...own, ...SYSTEM_SECRETS.filter((path) => existsSync(path))].map(realPathOrSame);
  return [...new Set([...fixed, ...[...homes].flatMap(secretsOfHome), ...targets])];
}

/** The places in a home folder whose content this program and its runtime trust at their next start. */
const PROGRAM_FOLDERS_OF_HOME: readonly string[] = [
  ...[".config/mdx-ai", ".local/state/mdx-ai", ".cache/mdx-ai"],
  // Code that the runtime has translated.
  ...[".cache/bun", ".bun/install/cache"],
];

/**
 * The folders, absolute, whose content this program and its runtime trust at their next start: settings, trust,
 * approvals, and caches of definitions and of code; whether or not they exist.
 */
export function programFolders(environment: Environment): readonly string[] {
  const within = (variable: string, names: readonly string[]): readonly string[] => {
    const folder = environment[variable];
    return isFolder(folder) ? names.map((name) => join(folder, name)) : [];
  };
  return [
    ...["XDG_CONFIG_HOME", "XDG_STATE_HOME"].flatMap((variable) => within(variable, ["mdx-ai"])),
    ...within("XDG_CACHE_HOME", ["mdx-ai", "bun"]),
    ...within("HOME", PROGRAM_FOLDERS_OF_HOME),
  ];
}

const isFolder = (path: string | undefined): path is string => path !== undefined && isAbsolute(path) && path !== "/";

function secretsOfHome(home: string): readonly string[] {
  // Listing the folder once rules out most of them.
  const names = new Set(attempt(() => readdirSync(home)));
  const exists = (place: string): boolean => names.has(place.split("/", 1)[0] ?? "") && existsSync(`${home}/${place}`);
  return [
    ...HOME_SECRETS.map((place) => `${home}/${place}`),
    ...HOME_SECRETS.filter(exists).map((place) => realPathOrSame(`${home}/${place}`)),
  ];
}

/** Holds the data of a process: its variables, its memory, its files. */
const OF_A_PROCESS = /^\/proc\/(\d+|self|thread-self)(\/|$)/;

const RECORDS = new RegExp(`/(?:${DATA_FOLDERS.join("|")})(?=/|$)`, "g");

/** The folder of an agent, and the secrets around it. */
interface SecretSurroundings {
  /** Absolute and real. */
  readonly agentDir: string;
  /** As `secretPaths` gives them, in lower case. */
  readonly secrets: readonly string[];
}

/** A kind of secret paths, and how people call it. */
const SECRECY = {
  process: "what a process knows",
  secrets: "a place of secrets",
  variables: "a file of variables, which may hold keys",
  records: "what another agent has recorded",
} as const;

/** Why a real path is secret, such as "a place of secrets"; undefined if it is not. */
export function secrecyOf(path: string, surroundings: SecretSurroundings): string | undefined {
  const kind = secretKindOf(path, surroundings);
  return kind && SECRECY[kind];
}

/** The kind of a secret real path; undefined if it is not secret. An agent inside a place of secrets may read its own files. */
export function secretKindOf(
  path: string,
  { agentDir, secrets }: SecretSurroundings,
): keyof typeof SECRECY | undefined {
  // A file system may ignore case. A name that only looks secret costs a question.
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

/** What the beginning of a private key looks like: PEM and OpenSSH, PuTTY, age. */
const PRIVATE_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY|^PuTTY-User-Key-File-|^AGE-SECRET-KEY-/m;

/** Bytes that are searched for it. */
const HEAD = 4_096;

/** The meaning of files in places of secrets, by their paths. */
const MEANINGS: readonly (readonly [path: RegExp, meaning: string])[] = [
  [/history$|\.lesshst$|\.viminfo$/, "what you typed in other programs, which may hold passwords"],
  [
    /chrom|brave|microsoft-edge|mozilla|thunderbird|firefox|safari|cookies/i,
    "data of a browser or a mail program, such as cookies and passwords",
  ],
];

/**
 * What a real path gives away, for a question about it, such as "a private key"; undefined if it is not known to be a secret.
 * Never throws.
 */
export function secretMeaning(path: string, places: SecretSurroundings): string | undefined {
  if (isPrivateKey(path)) return "a private key";
  switch (secretKindOf(path, places)) {
    case "variables":
      return SECRECY.variables;
    case "secrets":
      return MEANINGS.find(([pattern]) => pattern.test(path))?.[1] ?? "it may hold passwords, tokens or keys";
    default:
      return undefined;
  }
}

const isPrivateKey = (path: string): boolean =>
  attempt(() => readOpened(path, (file) => PRIVATE_KEY.test(readBytes(file, 0, HEAD).toString("latin1")))) ?? false;
