import type { AgentIdentity } from "../types/agent-definition.ts";
import { documentParts } from "./document-parts.ts";
import { readIdentity } from "./identity.ts";
import { proseSlicer } from "./prose-slices.ts";
import { parseMarkdown } from "./syntax-tree.ts";

/** Reads the identity from plain Markdown, such as a rendered program; `name` is the fallback if no heading names the agent. */
export function parseIdentity(markdown: string, name?: string): AgentIdentity {
  const tree = parseMarkdown(markdown);
  const slice = proseSlicer(markdown, documentParts(tree).cuts);
  return readIdentity({ blocks: tree.children, end: markdown.length, slice }, name).identity;
}
