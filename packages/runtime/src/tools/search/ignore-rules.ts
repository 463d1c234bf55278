import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { textUpTo } from "../../files/read-file.ts";
import { bytesOf, type IgnoreRule, ignoreFile } from "./ignore-file.ts";

/** Files of rules, the strongest first: those of a stronger kind win, wherever they are. */
const KINDS = [".rgignore", ".ignore", ".gitignore", ".git/info/exclude"] as const;

type Kind = (typeof KINDS)[number];

/** Bytes; a longer file of rules does not count: each path is compared with each rule. */
const MOST_BYTES = 256 * 1024;

/** The rules that one folder has. */
interface FolderRules {
  /** `bytesOf` its path relative to the outermost folder, with a "/" at its end; "" for that itself. */
  readonly base: string;
  readonly files: ReadonlyMap<Kind, readonly IgnoreRule[]>;
  /** Whether it is the root of a repository: rules of git from above do not hold in it. */
  readonly isRepository: boolean;
}

/** The rules of a folder and those above it, the nearest first. */
export class IgnoreRules {
  /** Whether rules from above, which leave out the folder with all that is in it, do not count: it is searched nevertheless. */
  readonly isRelaxed: boolean;
  readonly #folders: readonly FolderRules[];

  private constructor(folders: readonly FolderRules[], isRelaxed = false) {
    this.#folders = folders;
    this.isRelaxed = isRelaxed;
  }

  /** The rules that hold in a folder because of it and of those above it, up to the file system's root. Absolute path. */
  static at(folder: string): IgnoreRules {
    const parts = folder.split("/").filter((part) => part !== "");
    let rules = new IgnoreRules([]).within("/", "", undefined);
    parts.forEach((_, index) => {
      const inner = parts.slice(0, index + 1).join("/");
      rules = rules.within(`/${inner}`, `${inner}/`, undefined);
    });
    return rules.#relaxedFor(bytesOf(`${parts.join("/")}/`));
  }

  /** The rules in a folder in it. `names` are the names in that folder, if they are known; `base` is relative to "/", and ends with one. */
  within(folder: string, base: string, names: ReadonlySet<string> | undefined): IgnoreRules {
    const files = new Map<Kind, readonly IgnoreRule[]>();
    const isRepository = names?.has(".git") ?? existsSync(join(folder, ".git"));
    for (const kind of KINDS) {
      const isThere = names === undefined || names.has(kind) || (kind === ".git/info/exclude" && isRepository);
      const text = isThere ? textUpTo(pathOf(folder, kind), MOST_BYTES) : undefined;
      if (text !== undefined) files.set(kind, ignoreFile(text));
    }
    if (files.size === 0 && !isRepository) return this;
    return new IgnoreRules([{ base: bytesOf(base), files, isRepository }, ...this.#folders], this.isRelaxed);
  }

  #relaxedFor(path: string): IgnoreRules {
    const folders = this.#folders.map((folder) => {
      const files = [...folder.files].map(
        ([kind, rules]) => [kind, relaxed(rules, path.slice(folder.base.length))] as const,
      );
      return { ...folder, files: new Map(files) };
    });
    const isSame = folders.every(({ files }, index) =>
      [...files].every(([kind, rules]) => this.#folders[index]?.files.get(kind) === rules),
    );
    return isSame ? this : new IgnoreRules(folders, true);
  }

  /** Whether a path is left out; relative to "/", and a folder's with a "/" at its end. The folders above it are not. */
  ignores(path: string): boolean {
    const bytes = bytesOf(path);
    for (const kind of KINDS) {
      const decision = this.#decision(bytes, kind);
      if (decision !== undefined) return decision;
    }
    return false;
  }

  /** Whether the files of one kind leave a path out; undefined if none of them is about it. */
  #decision(path: string, kind: Kind): boolean | undefined {
    for (const { base, files, isRepository } of this.#folders) {
      const rule = ruleFor(files.get(kind) ?? [], path.slice(base.length));
      if (rule !== undefined) return !rule.isKept;
      if (isRepository && kind.startsWith(".git")) return undefined;
    }
    return undefined;
  }
}

/** The paths in a folder at which files of rules, or what leads to them, are looked for. Absolute. */
export const rulePaths = (folder: string): readonly string[] => [...KINDS, ".git"].map((name) => join(folder, name));

/** The last rule that is about a path decides. */
const ruleFor = (rules: readonly IgnoreRule[], path: string): IgnoreRule | undefined =>
  rules.findLast(({ matches }) => matches(path));

/** A name that only rules about all names match. */
const ANY_NAME = "\u0001".repeat(50);

/** Without the rules that leave out a folder and whatever is in it. The same if there are none. */
function relaxed(rules: readonly IgnoreRule[], path: string): readonly IgnoreRule[] {
  const parts = path.split("/").filter(Boolean);
  const folders = parts.map((_, index) => `${parts.slice(0, index + 1).join("/")}/`);
  const leavesOut = ({ isKept, matches }: IgnoreRule): boolean =>
    !isKept && folders.some(matches) && matches(`${path}${ANY_NAME}`);
  const decides = folders.some((folder) => {
    const rule = ruleFor(rules, folder);
    return rule !== undefined && leavesOut(rule);
  });
  return decides ? rules.filter((rule) => !leavesOut(rule)) : rules;
}

/** The path of a folder's file of rules: a worktree of git has that of its repository. */
function pathOf(folder: string, kind: Kind): string {
  const own = join(folder, kind);
  if (kind !== ".git/info/exclude") return own;
  const worktree = /^gitdir: (.+)/.exec(textUpTo(join(folder, ".git"), MOST_BYTES) ?? "")?.[1];
  if (worktree === undefined) return own;
  const data = resolve(folder, worktree);
  const common = textUpTo(join(data, "commondir"), MOST_BYTES)?.split("\n")[0];
  return common === undefined ? own : join(resolve(data, common), "info/exclude");
}
