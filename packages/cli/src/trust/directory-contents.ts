import type { AgentDefinition } from "@mdx-ai/parser";
import { plainLine } from "../plain-text.ts";

/** One thing that a directory holds and that its trust covers. */
export interface DirectoryContent {
  /** Such as "tools". */
  readonly kind: string;
  /** In the order of the directory, fit for a terminal. */
  readonly names: readonly string[];
}

/** What running a directory would bring to life. */
export function directoryContents(definition: AgentDefinition): readonly DirectoryContent[] {
  const { tools, modules, skills, heartbeat, program } = definition;
  const contents = [
    { kind: "tools", names: tools.map((tool) => tool.name) },
    { kind: "modules", names: modules },
    { kind: "skills", names: skills.map((skill) => skill.name) },
    { kind: "heartbeat", names: heartbeat === undefined ? [] : [wakeUps(heartbeat)] },
    { kind: "code in its prose", names: program === undefined ? [] : ["agent.mdx"] },
    { kind: "environment variables for tools", names: [...new Set(tools.flatMap((tool) => tool.environment))] },
  ];
  return contents
    .filter(({ names }) => names.length > 0)
    .map(({ kind, names }) => ({ kind, names: names.map(plainLine) }));
}

/** The same on one line, by numbers. */
export function contentsLine(definition: AgentDefinition): string {
  const counts = directoryContents(definition).map(({ kind, names }) =>
    kind === "heartbeat" || kind.startsWith("code") ? kind : `${kind}: ${names.length}`,
  );
  return counts.length === 0 ? "the shell for its model" : counts.join(", ");
}

function wakeUps({ interval, routines }: NonNullable<AgentDefinition["heartbeat"]>): string {
  const pace = interval === undefined ? [] : [`every ${Math.round(interval / 1000)} seconds`];
  return [...pace, ...routines.map((routine) => routine.name)].join(", ") || "heartbeat.md";
}
