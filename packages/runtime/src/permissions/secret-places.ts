import { existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import type { Environment } from "@mdx-ai/models";
import { realPlaceOrSame } from "../files/real-place.ts";

/** Folders and files of a home folder that hold keys, credentials, or what was typed and may hold some. */
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

/** Files of the system that tell passwords and keys. */
const SYSTEM_SECRETS: readonly string[] = `
  /etc/shadow /etc/shadow- /etc/gshadow /etc/gshadow- /etc/sudoers /etc/sudoers.d /etc/ssl/private /etc/krb5.keytab
  /run/secrets /var/run/secrets /proc/kcore /proc/keys /dev/mem /dev/kmem`
  .trim()
  .split(/[ \n]+/);

/**
 * The folders and files, absolute, that hold secrets of this user and of mdx-ai itself, whether they are there or not; of
 * symbolic links also where they lead. Never throws.
 */
export function secretPlaces(environment: Environment): readonly string[] {
  const stated = [environment["HOME"], environment["USERPROFILE"], homedir()].filter(isFolder);
  const homes = new Set([...stated, ...stated.map(realPlaceOrSame)]);
  const own = ["XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"]
    .map((name) => environment[name])
    .filter(isFolder)
    .map((folder) => join(folder, "mdx-ai"));
  const all = [...own, ...SYSTEM_SECRETS, ...[...homes].flatMap(secretsOfHome)];
  return [
    ...new Set([
      ...all,
      ...own.map(realPlaceOrSame),
      ...SYSTEM_SECRETS.filter((path) => existsSync(path)).map(realPlaceOrSame),
    ]),
  ];
}

const isFolder = (path: string | undefined): path is string => path !== undefined && isAbsolute(path) && path !== "/";

function secretsOfHome(home: string): readonly string[] {
  // One look tells for most that they are not there.
  const names = namesIn(home);
  const isThere = (place: string): boolean => names.has(place.split("/", 1)[0] ?? "") && existsSync(`${home}/${place}`);
  return [
    ...HOME_SECRETS.map((place) => `${home}/${place}`),
    ...HOME_SECRETS.filter(isThere).map((place) => realPlaceOrSame(`${home}/${place}`)),
  ];
}

function namesIn(folder: string): ReadonlySet<string> {
  try {
    return new Set(readdirSync(folder));
  } catch {
    return new Set();
  }
}
