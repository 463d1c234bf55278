import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { textUpTo } from "@mdx-ai/base/disk";
import ignore, { type Ignore } from "ignore";

/** Files of rules, the strongest first: those of a stronger kind win, wherever they are. */
const KINDS = [".rgignore", ".ignore", ".gitignore", ".git/info/exclude"] as const;

type Kind = (typeof KINDS)[number];

/** Bytes; a longer file of rules does not count: each path is compared with each rule. */
const MAX_BYTES = 256 * 1024;

/** The rules that one folder has. */
interface FolderRules {
  /** Its path relative to the outermost folder, with a "/" at its end; "" for that itself. */
  readonly base: string;
  readonly files: ReadonlyMap<Kind, Ignore>;
  /** Whether it is the root of a repository: rules of git from above do not hold in it. */
  readonly isRepository: boolean;
}

/** The rules of a folder and those above it, the nearest first. */
export class IgnoreRules {
  /** Whether rules from above leave out the folder that is searched: none of them counts then. */
  readonly isRelaxed: boolean;
  readonly #folders: readonly FolderRules[];

  private constructor(folders: readonly FolderRules[], isRelaxed: boolean) {
    this.#folders = folders;
    this.isRelaxed = isRelaxed;
  }

  /** The rules that hold in a folder because of it and of those above it, up to the file system's root. Absolute path. */
  static at(folder: string): IgnoreRules {
    const parts = folder.split("/").filter((part) => part !== "");
    let rules = new IgnoreRules([], false).within("/", "", undefined);
    let isRelaxed = false;
    for (const index of parts.keys()) {
      const inner = parts.slice(0, index + 1).join("/");
      const isLeftOut = rules.ignores(`${inner}/`);
      rules = rules.within(`/${inner}`, `${inner}/`, undefined);
      // Rules of git from above do not hold in a repository.
      isRelaxed = (isRelaxed || isLeftOut) && !existsSync(join(`/${inner}`, ".git"));
    }
    return isRelaxed ? new IgnoreRules([], true).within(folder, `${parts.join("/")}/`, undefined) : rules;
  }

  /** The rules in a folder in it. `names` are the names in that folder, if they are known; `base` is relative to "/", and ends with one. */
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

  /** Whether a path is left out; relative to "/", and a folder's with a "/" at its end. The folders above it are not. */
  ignores(path: string): boolean {
    for (const kind of KINDS) {
      const decision = this.#decision(path, kind);
      if (decision !== undefined) return decision;
    }
    return false;
  }

  /** Whether the files of one kind leave a path out; undefined if none of them is about it. */
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

/** Of `**` in a rule: with more of them, one path could take seconds. */
const MAX_GLOBSTARS = 2;

/** Rules with as many. */
const MAX_SLOW_RULES = 100;

/** Rules that hold up the program do not count. */
function readRules(text: string): Ignore {
  const rules = text.split("\n").filter((rule) => globstars(rule) <= MAX_GLOBSTARS);
  const quick = rules.filter((rule) => globstars(rule) < MAX_GLOBSTARS);
  const isSlow = rules.length - quick.length > MAX_SLOW_RULES;
  return ignore({ ignoreCase: false }).add(isSlow ? quick : rules);
}

const globstars = (rule: string): number => rule.match(/\*\*/g)?.length ?? 0;

/** Undefined if no rule is about a path. A rule that left a folder above out was overruled, and says nothing about what is in it. */
function decisionOf(rules: Ignore, path: string): boolean | undefined {
  const { ignored, unignored } = rules.test(path);
  if (!ignored) return unignored ? false : undefined;
  const parent = /^.*\/(?=[^/]+\/?$)/s.exec(path)?.[0];
  return parent === undefined || !rules.test(parent).ignored ? true : undefined;
}

/** The path of a folder's file of rules: a worktree of git has that of its repository. */
function pathOf(folder: string, kind: Kind): string {
  const inFolder = join(folder, kind);
  if (kind !== ".git/info/exclude") return inFolder;
  const worktree = /^gitdir: (.+)/.exec(textUpTo(join(folder, ".git"), MAX_BYTES) ?? "")?.[1];
  if (worktree === undefined) return inFolder;
  const data = resolve(folder, worktree);
  const common = textUpTo(join(data, "commondir"), MAX_BYTES)?.split("\n")[0];
  return common === undefined ? inFolder : join(resolve(data, common), "info/exclude");
}
