/** What the tool hints say of a tool. */
export interface ToolHint {
  /** The wire name. */
  readonly name: string;
  readonly description: string;
}

/** All tools with the first line of their descriptions, and where relative paths start; empty without tools. */
export function toolsText(tools: readonly ToolHint[], agentDir: string): string {
  if (tools.length === 0) return "";
  return [
    "## Tools",
    "",
    `Commands run in the agent's directory, ${agentDir}, and relative paths start there.`,
    "",
    ...tools.map(hint),
  ].join("\n");
}

function hint({ name, description }: ToolHint): string {
  const line = firstLine(description);
  return line === "" ? `- ${name}` : `- ${name}: ${line}`;
}

function firstLine(text: string): string {
  const [line = ""] = text.trim().split(/\r?\n/u, 1);
  return line.trimEnd();
}
