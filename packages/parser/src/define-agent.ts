import { defined } from "@mdx-ai/base";
import { NO_IDENTITY } from "./agent/identity.ts";
import { type ParsedAgent, parseAgentMdx } from "./agent/parse-agent-mdx.ts";
import { type SourcedTools, withSources } from "./agent/tool-sources.ts";
import { type AgentFile, type AgentFiles, diskDiagnostics, proseFiles, textToParse } from "./agent-files.ts";
import { parseAgentMarkdown } from "./agents/agent-markdown.ts";
import type { CacheEntry } from "./definition-cache.ts";
import { byFileAndPosition, locate } from "./report.ts";
import { parseSkills, secondTools } from "./skills/parse-skills.ts";
import { SourceText } from "./source-text.ts";
import type { HeartbeatDefinition } from "./types/agent-definition.ts";
import type { AgentSettings } from "./types/agent-settings.ts";
import type { Diagnostic } from "./types/diagnostic.ts";

const emptyAgent: Omit<ParsedAgent, "kind" | "diagnostics"> = {
  identity: NO_IDENTITY,
  settings: {},
  tools: [],
  sources: [],
  agents: [],
  models: [],
};

/** Parses all files of an agent directory. Reads no disk; never rejects. */
export async function defineAgent(files: AgentFiles): Promise<CacheEntry> {
  const diagnostics = [files.agent, files.heartbeat].flatMap(diskDiagnostics);
  const text = textToParse(files.agent);
  const agent = text === undefined ? undefined : await parseAgent(text, files);
  diagnostics.push(...(agent?.diagnostics ?? []));
  const { identity, settings, models, program, agents: ofElements, ...written } = agent ?? emptyAgent;
  const { tools, diagnostics: found } = sourced(written, files);
  diagnostics.push(...found);
  const inline = tools.map(({ name }) => name);
  const heartbeat = await heartbeatOf(files.heartbeat, { settings, tools: inline, diagnostics });
  const { skills, diagnostics: ofSkills } = parseSkills(files);
  diagnostics.push(...ofSkills, ...secondTools(tools, skills));
  const ofFiles = parseAgentMarkdown(
    files.agents ?? [],
    [...tools, ...ofElements].map(({ name }) => name),
  );
  diagnostics.push(...ofFiles.diagnostics);
  const agents = [...ofElements, ...ofFiles.agents];
  const definition = {
    identity,
    settings,
    tools,
    skills,
    ...(agents.length > 0 && { agents }),
    ...defined({ heartbeat }),
    modules: files.modules,
    ...defined({ program }),
  };
  const prose = [
    ...(agent === undefined ? [] : [{ file: files.agent.path, kind: agent.kind }]),
    ...proseFiles([files.heartbeat, ...files.skills]),
  ];
  return { definition, models, files: prose, diagnostics: diagnostics.sort(byFileAndPosition) };
}

/** The tools with the code of the files that they name, if those were looked for. */
const sourced = (written: Pick<ParsedAgent, "tools" | "sources">, { sources }: AgentFiles): SourcedTools =>
  sources === undefined ? { tools: written.tools, diagnostics: [] } : withSources(written, sources);

function parseAgent(text: string, { agent, modules }: AgentFiles): Promise<ParsedAgent> {
  return parseAgentMdx(text, { file: agent.path, hasModules: modules.length > 0 });
}

interface HeartbeatContext {
  readonly settings: AgentSettings;
  /** The names of the inline tools. */
  readonly tools: readonly string[];
  readonly diagnostics: Diagnostic[];
}

/** Loads the code for it only if the file exists. */
async function heartbeatOf(
  file: AgentFile | undefined,
  { settings, tools, diagnostics }: HeartbeatContext,
): Promise<HeartbeatDefinition | undefined> {
  const text = textToParse(file);
  if (file === undefined || text === undefined) return undefined;
  const { parseHeartbeat } = await import("./heartbeat/parse-heartbeat.ts");
  const { heartbeat, diagnostics: found } = parseHeartbeat(text, { file: file.path, tools });
  diagnostics.push(...found);
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
