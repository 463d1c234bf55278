import { join } from "node:path";
import { defined, isJsonObject } from "@mdx-ai/base";
import { plainLine } from "@mdx-ai/directory/text";
import {
  createRequestStateCodec,
  isInputRequiredResult,
  type McpRequestContext,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import type { SkillCatalog } from "@modelcontextprotocol/server/ext/skills";
import { resumeUnfinished } from "../agents/resume-unfinished.ts";
import type { AgentServerParts } from "./agent-parts.ts";
import { ChangeNotices } from "./change-notices.ts";
import { PromptTasks, TASKS, taskOf } from "./prompt-tasks.ts";
import { PROMPT, PromptTool, type WaitingPrompt } from "./prompt-tool.ts";
import { addSessions } from "./session-resources.ts";
import { callTool, listTools } from "./tools.ts";

/** Seconds that a question waits for its answer through the client. */
const QUESTION_TIME = 7 * 24 * 60 * 60;

/** Questions in one prompt that a client answers. */
const MAX_QUESTIONS = 1_000;

/** Makes servers of an agent. */
export interface AgentServers {
  /** For one connection, or one request of a newer revision. */
  readonly create: (client: Pick<McpRequestContext, "era">) => McpServer;
  readonly changes: ChangeNotices;
}

/** Reads the skills once, and continues the prompts that an earlier process left unfinished. Never rejects. */
export async function agentServers(parts: AgentServerParts): Promise<AgentServers> {
  const states = createRequestStateCodec<WaitingPrompt>({
    key: crypto.getRandomValues(new Uint8Array(32)),
    ttlSeconds: QUESTION_TIME,
  });
  const changes = new ChangeNotices();
  parts.onReload?.(() => changes.toolsChanged());
  const prompt = new PromptTool(parts, { mint: (waiting) => states.mint(waiting), changes });
  const tasks = new PromptTasks(parts, prompt);
  const skills = await skillsOf(parts);
  await resumeUnfinished(parts.open, parts.onWarning);
  const create = ({ era }: Pick<McpRequestContext, "era">): McpServer => {
    const { name } = parts.open.agent;
    // Later revisions have no tasks.
    const isLegacy = era === "legacy";
    const server = new McpServer(
      { name, version: parts.version },
      {
        capabilities: {
          ...{ tools: { listChanged: true }, resources: { listChanged: true, subscribe: true } },
          ...(isLegacy && { tasks: TASKS }),
        },
        inputRequired: { maxRounds: MAX_QUESTIONS, roundTimeoutMs: QUESTION_TIME * 1_000 },
        requestState: { verify: states.verify },
      },
    );
    addTools(server, parts, { prompt, ...(isLegacy && { tasks }) });
    if (isLegacy) tasks.serve(server);
    addSessions(server, parts);
    skills?.attach(server);
    return server;
  };
  return { create, changes };
}

interface Prompts {
  readonly prompt: PromptTool;
  /** Absent in revisions without tasks. */
  readonly tasks?: PromptTasks;
}

const NO_TASK = `only the tool ${PROMPT} runs as a task`;

/** The low-level handlers, since the agent itself checks the arguments of its tools. */
function addTools({ server }: McpServer, parts: AgentServerParts, { prompt, tasks }: Prompts): void {
  const { redactor } = parts;
  server.setRequestHandler("tools/list", () => ({ tools: [prompt.definition, ...listTools(parts.open)] }));
  server.setRequestHandler("tools/call", async ({ params }, context) => {
    const given = isJsonObject(params.arguments) ? params.arguments : {};
    const asked = tasks && taskOf(params);
    if (tasks !== undefined && asked !== undefined) {
      if (params.name !== PROMPT) throw new ProtocolError(ProtocolErrorCode.MethodNotFound, NO_TASK);
      // The result of a call needs a content, which that of a task may have.
      return { content: [], task: tasks.begin(given, asked.ttl, context) };
    }
    if (params.name !== PROMPT) return redactor.value(await callTool(params.name, given, parts, context));
    const capabilities = server.getClientCapabilities();
    const result = await prompt.call(given, context, capabilities);
    // The client returns the state, which has to stay as it is.
    return isInputRequiredResult(result)
      ? { ...redactor.value(result), ...defined({ requestState: result.requestState }) }
      : redactor.value(result);
  });
}

/** The skills in the folder `skills`; undefined without any, or if they cannot be read. */
async function skillsOf({ open, onWarning }: AgentServerParts): Promise<SkillCatalog | undefined> {
  const { path, definition } = open.directory;
  if (!definition.skills.some((skill) => skill.path.startsWith("skills/"))) return undefined;
  const warn = (text: string): void => onWarning(`a skill is not offered: ${plainLine(text)}`);
  const { loadSkills } = await import("@modelcontextprotocol/server/ext/skills/node");
  return loadSkills(join(path, "skills"), { onWarning: (one) => warn(`${one.path}: ${one.message}`) }).catch(
    (error: unknown) => {
      warn(String(error));
      return undefined;
    },
  );
}
