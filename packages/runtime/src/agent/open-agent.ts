import { createRedactor, dataLayout, type Environment, systemClock } from "@mdx-ai/base";
import type { AgentTool } from "@mdx-ai/loop";
import type { AgentDefinition } from "@mdx-ai/parser";
import { toolHostCommand } from "@mdx-ai/tools/tool-host-command";
import { openLog, silentLog, watchedLog } from "../log/agent-log.ts";
import { AgentMemory } from "../memory/agent-memory.ts";
import type { Telemetry, TelemetryOptions } from "../telemetry/telemetry.ts";
import type { Agent } from "../types/agent.ts";
import type { AgentOptions } from "../types/agent-options.ts";
import { LocalAgent } from "./agent.ts";
import { loadAgent } from "./load-agent.ts";
import type { OpenOptions } from "./loaded-agent.ts";
import { offeredTools, searchesByProvider } from "./prompt-settings.ts";

/**
 * Opens an agent on this machine. Call `close` when done.
 * The caller must ensure that the directory is trusted and has no errors.
 */
export async function openAgent(options: AgentOptions): Promise<Agent> {
  const { directory, environment = process.env, onWarning } = options;
  const unset = unsetVariables(directory.definition, { ...environment, ...placeholders(options) });
  if (unset.length > 0) onWarning?.(`not set in the environment: ${unset.join(", ")}`);
  if (searchesByProvider(options) && options.model.searchesWeb !== true) {
    onWarning?.(`${options.model.provider} searches no web: \`web_search: provider\` of your settings has no effect`);
  }
  return openChangedAgent(options, (tool) => tool);
}

/** Variables that hold a placeholder for a key. */
const placeholders = ({ directory, credentials = [] }: AgentOptions): Environment =>
  Object.fromEntries(
    [
      ...credentials.flatMap(({ variable, agents }) => (agents === "all" ? [variable] : [])),
      ...Object.values(directory.definition.settings.credentials ?? {}).map(({ env }) => env),
    ].map((name) => [name, ""]),
  );

/** The variables that the `env` of tools names but that are not set, each with its tools. */
function unsetVariables(definition: AgentDefinition, environment: Environment): readonly string[] {
  const offered = offeredTools(definition);
  const names = new Set(offered.flatMap((tool) => tool.environment));
  return [...names]
    .filter((name) => environment[name] === undefined)
    .map((name) => {
      const readers = offered.filter((tool) => tool.environment.includes(name)).map((tool) => `\`${tool.name}\``);
      return `${name} (read by ${readers.join(", ")})`;
    });
}

/** The same with replaced tools. Names and descriptions must stay the same. */
export async function openChangedAgent(given: AgentOptions, change: (tool: AgentTool) => AgentTool): Promise<Agent> {
  const { path: agentDir, definition } = given.directory;
  const options = withRedactor(withDefaults(given));
  const { dataDirectory: dataDir, clock, onWarning, ephemeral = false, redactor } = options;
  const common = { clock, redactor, onWarning };
  const file = ephemeral ? silentLog : openLog({ directory: dataLayout(dataDir).logs, ...common });
  const log = watchedLog(file, { redactor, onLine: options.onLog });
  const memory = new AgentMemory({ agentDir, dataDir, isEphemeral: ephemeral, ...common });
  // The spans of an agent that works for another one are made from the events that its parent receives.
  const telemetry = options.parent
    ? undefined
    : await loadTelemetry(options.environment, { agentName: definition.identity.name, ...common });
  const parts = { log, redactor, change, questionsOf: (id?: string) => agent.questionsOf(id) };
  const loaded = await loadAgent(options, parts);
  const agent: LocalAgent = new LocalAgent({ ...parts, loaded, memory, telemetry });
  await agent.openModules();
  return agent;
}

const withDefaults = (options: AgentOptions): OpenOptions => ({
  dataDirectory: options.directory.path,
  clock: systemClock,
  onWarning: () => {},
  cwd: options.workspace ?? process.cwd(),
  environment: process.env,
  toolHostCommand: options.toolHostCommand ?? toolHostCommand(),
  ...options,
});

/** With a redactor; a new one learns the keys for hosts. */
function withRedactor(options: OpenOptions): OpenOptions & Required<Pick<AgentOptions, "redactor">> {
  const { redactor } = options;
  if (redactor !== undefined) return { ...options, redactor };
  const own = createRedactor(options);
  return { onKey: (key) => own.learn([key]), ...options, redactor: own };
}

/** Each of these variables turns telemetry on. Others, such as `OTEL_SERVICE_NAME`, only configure it. */
const SWITCHES = [
  "OTEL_EXPORTER_OTLP_ENDPOINT",
  "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
  "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT",
  "OTEL_TRACES_EXPORTER",
  "OTEL_METRICS_EXPORTER",
] as const;

/** Whether the user's variables turn telemetry on. */
export function wantsTelemetry(environment: Environment): boolean {
  if (!SWITCHES.some((name) => environment[name]?.trim())) return false;
  return environment["OTEL_SDK_DISABLED"]?.trim().toLowerCase() !== "true";
}

/**
 * Opens the telemetry that the standard `OTEL_*` variables configure; undefined if they do not turn it on. The OpenTelemetry
 * packages are loaded only if they do.
 */
export async function loadTelemetry(
  environment: Environment,
  options: TelemetryOptions,
): Promise<Telemetry | undefined> {
  if (!wantsTelemetry(environment)) return undefined;
  const { openTelemetry } = await import("../telemetry/open-telemetry.ts");
  return openTelemetry(environment, options);
}
