/** Something that defines or records an agent and need not be there: in a sandbox it must not come into being either. */
export interface AbsentPlace {
  /** Relative to the agent directory. */
  readonly path: string;
  /** What stands there meanwhile: a folder, or a file with this text, which its readers take as if there were none. */
  readonly stand: { readonly kind: "folder" } | { readonly kind: "file"; readonly text: string };
}

const folder = (path: string): AbsentPlace => ({ path, stand: { kind: "folder" } });
const file = (path: string, text = ""): AbsentPlace => ({ path, stand: { kind: "file", text } });

/** A folder comes before what is in it. */
export const ABSENT_PLACES: readonly AbsentPlace[] = [
  ...[folder("skills"), folder("modules"), folder("tools"), folder("node_modules"), folder(".git")],
  ...[folder("sessions"), folder("logs"), folder("state")],
  ...[file("heartbeat.md"), file("AGENT.md"), file("package.json", "{}\n"), file("agent.lock.json")],
  // By it git would take the agent directory itself for a repository, whose settings name programs.
  file("HEAD"),
  file("state/agent-state.json", '{"version":1,"promptCount":0}\n'),
  file("state/memory.json", "[]\n"),
  ...[file("state/usage.jsonl"), file("state/heartbeat.jsonl")],
];
