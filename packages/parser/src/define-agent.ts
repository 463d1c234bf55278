import { defined } from "@mdx-ai/base";
import type { VFile } from "vfile";
import { NO_IDENTITY } from "./agent/identity.ts";
import { readAgentMdx } from "./agent/read-agent-mdx.ts";
import { withSources } from "./agent/tool-sources.ts";
import { type AgentFile, type AgentFiles, diskDiagnostics, proseFiles, textToParse } from "./agent-files.ts";
import { diagnosticsOf, sourceOf } from "./markdown/messages.ts";
import { byFileAndPosition, locate } from "./report.ts";
import { SourceText } from "./source-text.ts";
import type { DiagnosedDefinition, HeartbeatDefinition, LocatedModel } from "./types/agent-definition.ts";
import type { AgentSettings } from "./types/agent-settings.ts";
import type { Diagnostic } from "./types/diagnostic.ts";
import type { SkillDefinition } from "./types/skill-definition.ts";
import type { SubagentDefinition } from "./types/subagent-definition.ts";
import type { ToolDefinition } from "./types/tool-definition.ts";

/** The same for an agent that is the text of an agent.mdx alone. */
export const parseAgentMdx = (text: string): Promise<DiagnosedDefinition> =>
  defineAgent({ agent: { path: "agent.mdx", text }, skills: [], modules: [], folders: [] });

/** Parses all files of an agent directory. Reads no disk; never rejects. */
export async function defineAgent(files: AgentFiles): Promise<DiagnosedDefinition> {
  const { agent: file, heartbeat: schedule, modules } = files;
  const diagnostics = [file, schedule].flatMap(diskDiagnostics);
  const text = textToParse(file);
  const agent = text === undefined ? undefined : await readAgentMdx(text, file.path, modules.length > 0);
  const { identity = NO_IDENTITY, settings: read, program, kind = "markdown" } = agent?.data ?? {};
  const { settings = {} } = read ?? {};
  const { tools, diagnostics: ofSources } = withSources(agent?.data.tools ?? {}, files.sources);
  diagnostics.push(...(agent === undefined ? [] : diagnosticsOf(agent)), ...ofSources);
  const inline = tools.map(({ name }) => name);
  const models = agent === undefined ? [] : modelsIn(agent);
  const heartbeat = await heartbeatOf(schedule, { settings, tools: inline, diagnostics, models });
  const skills = await skillsOf(files, tools, diagnostics);
  const agents = await agentsOf(agent?.data.agents ?? [], files, { tools: inline, diagnostics });
  return {
    definition: {
      ...{ identity, settings, tools, skills, modules },
      ...(agents.length > 0 && { agents }),
      ...defined({ heartbeat, program }),
    },
    models,
    files: [...(agent === undefined ? [] : [{ file: file.path, kind }]), ...proseFiles([schedule, ...files.skills])],
    diagnostics: diagnostics.sort(byFileAndPosition),
  };
}

function modelsIn(agent: VFile): LocatedModel[] {
  const { models = [] } = agent.data.settings ?? {};
  return models.map(({ offset, ...model }) => ({ ...model, ...sourceOf(agent).pointAt(offset) }));
}

/** Loads the code for them only if there are some. */
async function skillsOf(
  files: AgentFiles,
  tools: readonly ToolDefinition[],
  diagnostics: Diagnostic[],
): Promise<readonly SkillDefinition[]> {
  if (files.skills.length + files.folders.length === 0) return [];
  const { parseSkills, secondTools } = await import("./skills/parse-skills.ts");
  const { definition: skills, diagnostics: found } = parseSkills(files);
  diagnostics.push(...found, ...secondTools(tools, skills));
  return skills;
}

/** The agents of agent.mdx, then those of `agents/`. Loads the code that reads the latter only if there are any. */
async function agentsOf(
  written: readonly SubagentDefinition[],
  { agents: files = [] }: AgentFiles,
  { tools, diagnostics }: Pick<HeartbeatContext, "tools" | "diagnostics">,
): Promise<readonly SubagentDefinition[]> {
  if (files.length === 0) return written;
  const { parseAgentMarkdown } = await import("./agents/agent-markdown.ts");
  const { definition: agents, diagnostics: found } = parseAgentMarkdown(files, [
    ...tools,
    ...written.map(({ name }) => name),
  ]);
  diagnostics.push(...found);
  return [...written, ...agents];
}

interface HeartbeatContext {
  readonly settings: AgentSettings;
  /** The names of the inline tools. */
  readonly tools: readonly string[];
  readonly diagnostics: Diagnostic[];
  readonly models: LocatedModel[];
}

/** Loads the code for it only if the file exists. */
async function heartbeatOf(
  file: AgentFile | undefined,
  { settings, tools, diagnostics, models }: HeartbeatContext,
): Promise<HeartbeatDefinition | undefined> {
  const text = textToParse(file);
  if (file === undefined || text === undefined) return undefined;
  const { parseHeartbeat } = await import("./heartbeat/parse-heartbeat.ts");
  const { definition: heartbeat, models: named, diagnostics: found } = parseHeartbeat(text, { file: file.path, tools });
  diagnostics.push(...found);
  models.push(...named);
  const { interval, cron, routines } = heartbeat;
  const neverWakes =
    interval === undefined && cron === undefined && routines.length === 0 && settings.schedule === undefined;
  if (neverWakes && found.length === 0) diagnostics.push(neverWaking(file));
  return heartbeat;
}

function neverWaking(file: AgentFile): Diagnostic {
  const message = "the heartbeat has no schedule";
  const hint =
    "write `@every: 15m` under `## Schedule`, a routine task, or `schedule: 15m` in the frontmatter of agent.mdx";
  return locate({ rule: "heartbeat-empty", offset: 0, message, hint }, new SourceText(file.text ?? ""), file.path);
}
