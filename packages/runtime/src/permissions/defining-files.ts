/** Files and folders of an agent directory that define the agent or what its code does; of a folder, all in it. */
const DEFINING: readonly string[] = [
  ...["agent.mdx", "heartbeat.md", "agent.md", "agent.lock.json", "skills", "modules", "tools"],
  ...["package.json", "tsconfig.json", "jsconfig.json", "bunfig.toml", "bun.lock", "bun.lockb", "package-lock.json"],
  ...["yarn.lock", "pnpm-lock.yaml", ".npmrc", "head"],
];

/** Folders and files in which the runtime records what the agent did. */
const RECORDING: readonly string[] = ["sessions", "logs"];

/** Anywhere below: what stands there runs when others work with the folder. */
const DEFINING_ANYWHERE: readonly string[] = ["node_modules", ".git"];

/** The runtime's own files in `state/`, without their endings: `memory.json` has a `memory.lock` beside it. */
const OWN_STATE: readonly string[] = ["agent-state", "heartbeat", "memory", "usage"];

/**
 * Why a write to a path may not go unasked: "defines the agent" or "records what the agent did"; undefined where it may.
 * `path` is relative to the agent directory, separated by "/", as the `definingFiles` are that trust covers.
 */
export function meaningOf(path: string, definingFiles: ReadonlySet<string>): string | undefined {
  // A file system may not tell upper case from lower.
  const parts = path.toLowerCase().split("/");
  const [first = "", second = ""] = parts;
  if (first === "") return "is the agent directory itself";
  const name = parts.join("/");
  if (DEFINING.includes(first) || definingFiles.has(name)) return "defines the agent";
  if (standsInFor(name, definingFiles)) return "could be imported in the stead of what defines the agent";
  if (parts.some((part) => DEFINING_ANYWHERE.includes(part))) return "defines what runs in the agent directory";
  const isState = first === "state" && OWN_STATE.includes(second.split(".")[0] ?? "");
  return isState || RECORDING.includes(first) ? "records what the agent did" : undefined;
}

/** What ends the name of a code file, where an import need not say it. */
const ENDINGS: readonly string[] = ["js", "jsx", "ts", "tsx", "mjs", "mts", "cjs", "cts"].flatMap((ending) => [
  `.${ending}`,
  `/index.${ending}`,
]);
const ENDING = /(?:\/index)?\.[cm]?[jt]sx?$/;

/** What says how the files of a folder, and those below, are read. */
const STEERING = /(?:^|\/)(?:package|tsconfig|jsconfig)\.json$/;

/** Whether a file would be found instead of another, or changes how that is read: `x.ts` or `x/index.ts` for `x.js`. */
function standsInFor(name: string, definingFiles: ReadonlySet<string>): boolean {
  if (STEERING.test(name)) {
    const folder = name.slice(0, name.lastIndexOf("/") + 1);
    return [...definingFiles].some((file) => file.startsWith(folder));
  }
  const stem = name.replace(ENDING, "");
  return stem !== name && ENDINGS.some((ending) => definingFiles.has(`${stem}${ending}`));
}
