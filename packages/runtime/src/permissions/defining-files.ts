/** Files and folders of an agent directory that define the agent or what its code does; of a folder, all in it. */
const DEFINING: readonly string[] = [
  ...["agent.mdx", "heartbeat.md", "agent.md", "agent.lock.json", "skills", "modules", "tools"],
  ...["package.json", "tsconfig.json", "jsconfig.json", "bunfig.toml", "bun.lock", "bun.lockb", "package-lock.json"],
  ...["yarn.lock", "pnpm-lock.yaml", ".npmrc"],
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
  if (DEFINING.includes(first) || definingFiles.has(parts.join("/"))) return "defines the agent";
  if (parts.some((part) => DEFINING_ANYWHERE.includes(part))) return "defines what runs in the agent directory";
  const isState = first === "state" && OWN_STATE.includes(second.split(".")[0] ?? "");
  return isState || RECORDING.includes(first) ? "records what the agent did" : undefined;
}
