import { once } from "@mdx-ai/base";

/** The reasons why a write to a path of a workspace must be approved. Each completes "it …". */
export const REASONS = {
  workspace: "is the workspace itself",
  git: "decides what git runs on its own",
  shell: "runs when a shell starts or enters the folder",
  editor: "decides what an editor runs on its own",
  agent: "decides what a coding agent runs on its own",
  tool: "decides what a tool runs on its own",
} as const;

/**
 * Files and folders, at any depth of a workspace, that run code when a user enters, opens or commits in their folder, or that
 * decide which program a command name starts. Files that a build or test runs, such as package.json, are not included: a coding
 * agent has to edit them. Neither is `.git`, which is mostly data. As they are spelled.
 */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  [REASONS.git]: `.gitmodules .gitconfig .githooks .git-hooks .husky .pre-commit-config.yaml .overcommit.yml
      .lefthook.yml .lefthook.yaml .lefthook.toml .lefthook.json lefthook.yml lefthook.yaml lefthook.toml lefthook.json
      .lefthook-local.yml .lefthook-local.yaml .lefthook-local.toml .lefthook-local.json
      lefthook-local.yml lefthook-local.yaml lefthook-local.toml lefthook-local.json`.split(/\s+/),
  [REASONS.shell]:
    `.envrc .direnv .autoenv .autoenv.zsh .autoenv_leave.zsh .rvmrc .bashrc .bash_profile .bash_login .bash_logout
      .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .zlogout .cshrc .tcshrc .login .logout .kshrc .inputrc .xprofile .xinitrc
      .tmux.conf`.split(/\s+/),
  [REASONS.editor]:
    `.vscode .idea .zed .fleet .vs .helix .devcontainer .devcontainer.json .vimrc .gvimrc .exrc .lvimrc .nvimrc .nvim.lua
      .dir-locals.el .dir-locals-2.el .lite_project.lua`.split(/\s+/),
  [REASONS.agent]:
    `.mdx-ai .claude .cursor .codex .gemini .opencode opencode.json opencode.jsonc .pi .qwen .crush.json crush.json .windsurf
      .kiro .roo .kilocode .continue .amazonq .junie .mcp.json .aider.conf.yml`.split(/\s+/),
  [REASONS.tool]:
    `.npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs .pnpmfile.mjs bunfig.toml .tool-versions mise.toml .mise.toml
      mise.local.toml .mise.local.toml .mise rust-toolchain rust-toolchain.toml .jj .gdbinit .lldbinit .pdbrc .perldb .rdbgrc .byebugrc
      .Rprofile .Renviron .RData .ghci .irbrc .pryrc .iex.exs .ocamlinit .erlang jupyter_config.py jupyter_lab_config.py
      jupyter_notebook_config.py jupyter_server_config.py`.split(/\s+/),
};

/** The same, for paths of several parts. */
const PATHS: ReadonlyMap<string, string> = new Map([
  [".hg/hgrc", REASONS.git],
  [".hg/hgrc-not-shared", REASONS.git],
  [".hg/sharedpath", REASONS.git],
  [".sl/config", REASONS.git],
  [".cargo/config", REASONS.tool],
  [".cargo/config.toml", REASONS.tool],
  [".bundle/config", REASONS.tool],
  [".config/mise", REASONS.tool],
  [".config/mise.toml", REASONS.tool],
  ["mise/config.toml", REASONS.tool],
]);

/** Why the user must approve a write to a path at the top of an agent directory; undefined if no approval is needed. */
export function meaningAtTop(relative: string): string | undefined {
  const [first = "", second = ""] = plainName(relative).split("/");
  return reasonOf(first) ?? PATHS.get(`${first}/${second}`);
}

/** The paths at the root of a workspace, without `.git`, that a command must not change. */
export const workspacePaths = (): readonly string[] => [...Object.values(NAMES).flat(), ...PATHS.keys()];

/**
 * The paths that a command must not create at the root of the agent directory or of the workspace. While a command runs, each is
 * an empty folder there, so only files that programs read automatically and that most file listings hide are included.
 */
export const RESERVED_NAMES: readonly string[] = `.envrc .direnv .autoenv .rvmrc
  .bashrc .bash_profile .bash_login .profile .zshrc .zshenv .zprofile .zlogin
  .vscode .idea .zed .fleet .vs .helix .devcontainer .devcontainer.json .vimrc .exrc .nvimrc .nvim.lua .dir-locals.el
  .mdx-ai .claude .cursor .codex .gemini .opencode .qwen .windsurf .kiro .mcp.json
  .githooks .husky .pre-commit-config.yaml .npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs .tool-versions .mise .mise.toml
  .gdbinit .lldbinit .pdbrc .ghci .irbrc .pryrc .cargo/config.toml`.split(/\s+/);

/** The file system may ignore case and some characters. */
const plainName = (name: string): string => name.toLowerCase().replace(IGNORED, "");

/** The folder of a git repository, or the file that names it. */
const GIT = ".git";

/**
 * Entries of a git folder that run or name programs, or that name the folder with such entries. Everything else (objects, refs,
 * HEAD, the index) is data, which `git add` and `git commit` write.
 */
const RUN_BY_GIT: readonly string[] = ["hooks", "config", "config.worktree", "commondir"];

/** Folders in a git folder that contain further git folders: of submodules and of work trees. */
const MORE_OF_GIT = { modules: "modules", worktrees: "worktrees" } as const;

/** The file in a work tree's git folder that names the work tree. */
const WORK_TREE = "gitdir";

/** Characters that the file system of macOS ignores in names. */
const IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/**
 * Why the user must approve a write to a path of a workspace: it runs code automatically, or decides which code runs; undefined
 * if no approval is needed. Completes "it …". `relative` is relative to the workspace, separated by "/"; case is ignored.
 */
export function meaningInWorkspace(relative: string): string | undefined {
  const parts = plainName(relative).split("/").filter(Boolean);
  if (parts.length === 0) return REASONS.workspace;
  const git = parts.indexOf(GIT);
  if (git !== -1) return decidesForGit(parts.slice(git + 1)) ? REASONS.git : undefined;
  for (const [index, part] of parts.entries()) {
    const reason = reasonOf(part) ?? PATHS.get(parts.slice(index, index + 2).join("/"));
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** The reasons by name, in lower case. */
const reasons = once(
  (): ReadonlyMap<string, string> =>
    new Map(
      Object.entries(NAMES).flatMap(([reason, names]) => names.map((name) => [name.toLowerCase(), reason] as const)),
    ),
);

/** `name` is plain. */
const reasonOf = (name: string): string | undefined => reasons().get(name);

/** `parts` is a path in a git folder. */
function decidesForGit(parts: readonly string[]): boolean {
  const [first, , third] = parts;
  if (first === undefined || RUN_BY_GIT.includes(first)) return true;
  // The name of a submodule may contain slashes.
  if (first === MORE_OF_GIT.modules) return parts.length === 1 || parts.some((part) => RUN_BY_GIT.includes(part));
  if (first !== MORE_OF_GIT.worktrees) return false;
  return third === undefined || third === WORK_TREE || RUN_BY_GIT.includes(third);
}
