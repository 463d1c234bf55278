import { defined } from "@mdx-ai/base";
import type { VFile } from "vfile";
import { agentElements } from "../agents/agent-elements.ts";
import { elements } from "../elements/elements.ts";
import { literalKeys } from "../literal-keys.ts";
import { markdown } from "../markdown/markdown.ts";
import { diagnosticsOf, reportTo, sourceOf, virtualFile } from "../markdown/messages.ts";
import { isTooComplex, tooComplex } from "../markdown/watchdog.ts";
import { tools } from "../tools/tools.ts";
import type { AgentIdentity, LocatedModel, ProseFile } from "../types/agent-definition.ts";
import type { AgentSettings } from "../types/agent-settings.ts";
import type { Diagnostic } from "../types/diagnostic.ts";
import type { SubagentDefinition } from "../types/subagent-definition.ts";
import type { ToolDefinition, ToolSource } from "../types/tool-definition.ts";
import { identity, NO_IDENTITY } from "./identity.ts";
import { settings } from "./settings.ts";

declare module "vfile" {
  interface DataMap {
    kind: ProseFile["kind"];
  }
}

/** What agent.mdx says. */
export interface ParsedAgent {
  readonly kind: ProseFile["kind"];
  readonly identity: AgentIdentity;
  readonly settings: AgentSettings;
  /** The code of those with a `src` is empty: see `ToolSource`. */
  readonly tools: readonly ToolDefinition[];
  readonly sources: readonly ToolSource[];
  readonly agents: readonly SubagentDefinition[];
  /** The models that its frontmatter names. */
  readonly models: readonly LocatedModel[];
  /** See `AgentDefinition.program`. */
  readonly program?: string;
  /** By position. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The context of an agent.mdx. */
export interface AgentContext {
  /** The file name in diagnostics; agent.mdx by default. */
  readonly file?: string;
  /** Whether the directory has modules, which may bring tools. */
  readonly hasModules?: boolean;
}

/** Reads the text of an agent.mdx. Executes nothing and reads no other file; never rejects, whatever the text. */
export async function parseAgentMdx(text: string, context: AgentContext = {}): Promise<ParsedAgent> {
  const file = virtualFile(text, context.file ?? "agent.mdx");
  file.data.hasModules = context.hasModules ?? false;
  try {
    await read(file);
    for (const problem of literalKeys(String(file))) reportTo(file)(problem);
  } catch (error) {
    if (!isTooComplex(error)) throw error;
    file.messages.splice(0);
    reportTo(file)(tooComplex(error, String(file)));
  }
  return parsedAgent(file);
}

async function read(file: VFile): Promise<void> {
  if (!(await isMdx(file))) return readMarkdown(file);
  file.data.kind = "mdx";
  const { readMdx } = await import("./read-mdx.ts");
  return readMdx(file, readMarkdown);
}

/** Reads Markdown with elements into the data and the messages of its file. Rejects with `TooSlowError`. */
async function readMarkdown(file: VFile): Promise<void> {
  const processor = markdown(String(file)).use(elements).use(settings).use(tools).use(agentElements).use(identity);
  await processor.run(processor.parse(file), file);
}

/** A line that begins as a statement of a module does. */
const STATEMENT_LINE = /^(?:import|export) /m;

/** Whether a file is MDX. The parser of JavaScript is loaded for the few files that may be. */
async function isMdx(file: VFile): Promise<boolean> {
  if (!STATEMENT_LINE.test(String(file))) return false;
  const { hasStatement } = await import("../mdx/statements.ts");
  return hasStatement(file);
}

function parsedAgent(file: VFile): ParsedAgent {
  const source = sourceOf(file);
  const {
    settings: read,
    tools: found,
    agents = [],
    identity: who = NO_IDENTITY,
    program,
    kind = "markdown",
  } = file.data;
  return {
    kind,
    identity: who,
    settings: read?.settings ?? {},
    tools: found?.tools ?? [],
    sources: found?.sources ?? [],
    agents,
    models: (read?.models ?? []).map(({ offset, ...model }) => ({ ...model, ...source.pointAt(offset) })),
    ...defined({ program }),
    diagnostics: diagnosticsOf(file),
  };
}
