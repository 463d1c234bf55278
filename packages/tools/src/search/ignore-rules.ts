import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { textUpTo } from "@mdx-ai/base/disk";
import ignore, { type Ignore } from "ignore";

/** Rule files, strongest first: a stronger kind wins at any depth. */
const KINDS = [".rgignore", ".ignore", ".gitignore", ".git/info/exclude"] as const;

type Kind = (typeof KINDS)[number];

/** The largest rule file in bytes; a larger one is ignored, since each path is compared with each rule. */
const MAX_BYTES = 256 * 1024;

/** The rules of one folder. */
interface FolderRules {
  /** Its path relative to the outermost folder, with a "/" at its end; "" for that folder. */
  readonly base: string;
  readonly files: ReadonlyMap<Kind, Ignore>;
  /** Whether it is the root of a repository: git rules from above do not apply in it. */
  readonly isRepository: boolean;
}

/** The rules of a folder and its parents, nearest first. */
export class IgnoreRules {
  /** Whether rules from above exclude the searched folder; then they are all ignored. */
  readonly isRelaxed: boolean;
  readonly #folders: readonly FolderRules[];

  private constructor(folders: readonly FolderRules[], isRelaxed: boolean) {
    this.#folders = folders;
    this.isRelaxed = isRelaxed;
  }

  /** The rules for a folder from itself and its parents, up to the root of the file system. Absolute path. */
  static at(folder: string): IgnoreRules {
    const parts = folder.split("/").filter((part) => part !== "");
    let rules = new IgnoreRules([], false).within("/", "", undefined);
    let isRelaxed = false;
    for (const index of parts.keys()) {
      const inner = parts.slice(0, index + 1).join("/");
      const isLeftOut = rules.ignores(`${inner}/`);
      rules = rules.within(`/${inner}`, `${inner}/`, undefined);
      // Git rules from above do not apply in a repository.
      isRelaxed = (isRelaxed || isLeftOut) && !existsSync(join(`/${inner}`, ".git"));
    }
    return isRelaxed ? new IgnoreRules([], true).within(folder, `${parts.join("/")}/`, undefined) : rules;
  }

  /** The rules in a subfolder. `names` are the names in that folder, if known; `base` is relative to "/" and ends with "/". */
  within(folder: string, base: string, names: ReadonlySet<string> | undefined): IgnoreRules {
    const files = new Map<Kind, Ignore>();
    const isRepository = names?.has(".git") ?? existsSync(join(folder, ".git"));
    for (const kind of KINDS) {
      const isThere = names === undefined || names.has(kind) || (kind === ".git/info/exclude" && isRepository);
      const text = isThere ? textUpTo(pathOf(folder, kind), MAX_BYTES) : undefined;
      if (text !== undefined) files.set(kind, readRules(text));
    }
    if (files.size === 0 && !isRepository) return this;
    return new IgnoreRules([{ base, files, isRepository }, ...this.#folders], this.isRelaxed);
  }

  /** Whether a path is excluded; relative to "/", with a "/" at the end of a folder. Assumes that its parents are not excluded. */
  ignores(path: string): boolean {
    for (const kind of KINDS) {
      const decision = this.#decision(path, kind);
      if (decision !== undefined) return decision;
    }
    return false;
  }

  /** Whether the rule files of one kind exclude a path; undefined if no rule matches. */
  #decision(path: string, kind: Kind): boolean | undefined {
    for (const { base, files, isRepository } of this.#folders) {
      const rules = files.get(kind);
      const decision = rules === undefined ? undefined : decisionOf(rules, path.slice(base.length));
      if (decision !== undefined) return decision;
      if (isRepository && kind.startsWith(".git")) return undefined;
    }
    return undefined;
  }
}

/** The most `**` in a rule: with more of them, one path could take seconds. */
const MAX_GLOBSTARS = 2;

/** The most rules with that many. */
const MAX_SLOW_RULES = 100;

/** Rules that would block the program are ignored. */
function readRules(text: string): Ignore {
  const rules = text.split("\n").filter((rule) => globstars(rule) <= MAX_GLOBSTARS);
  const quick = rules.filter((rule) => globstars(rule) < MAX_GLOBSTARS);
  const isSlow = rules.length - quick.length > MAX_SLOW_RULES;
  return ignore({ ignoreCase: false }).add(isSlow ? quick : rules);
}

const globstars = (rule: string): number => rule.match(/\*\*/g)?.length ?? 0;

/** Undefined if no rule matches a path. A rule that excluded a parent was overridden, so it does not apply to the contents. */
function decisionOf(rules: Ignore, path: string): boolean | undefined {
  const { ignored, unignored } = rules.test(path);
  if (!ignored) return unignored ? false : undefined;
  const parent = /^.*\/(?=[^/]+\/?$)/s.exec(path)?.[0];
  return parent === undefined || !rules.test(parent).ignored ? true : undefined;
}

/** The path of a folder's rule file; a worktree of git uses its repository's. */
function pathOf(folder: string, kind: Kind): string {
  const inFolder = join(folder, kind);
  if (kind !== ".git/info/exclude") return inFolder;
  const worktree = /^gitdir: (.+)/.exec(textUpTo(join(folder, ".git"), MAX_BYTES) ?? "")?.[1];
  if (worktree === undefined) return inFolder;
  const data = resolve(folder, worktree);
  const common = textUpTo(join(data, "commondir"), MAX_BYTES)?.split("\n")[0];
  return common === undefined ? inFolder : join(resolve(data, common), "info/exclude");
}
