import { type JsonObject, sortedJson } from "@mdx-ai/base";
import {
  type AgentEvent,
  type AgentTool,
  errorResult,
  type ToolOutcome,
  type ToolRegistry,
  type ToolResult,
  wasNotRun,
} from "@mdx-ai/loop";
import type { AgentDirectory } from "@mdx-ai/parser";
import { type RecordedPrompt, type Recording, ReplayError } from "@mdx-ai/sessions";
import { openChangedAgent } from "../agent/open-agent.ts";
import { definedTools, knownTools, recordedName } from "../recording/recorded-tools.ts";
import type { AgentOptions } from "../types/agent-options.ts";

export interface ComparisonOptions {
  readonly recording: Recording;
  /** The options of the agent, including the model to ask. The agent writes no file and runs no triggers. */
  readonly agent: Omit<AgentOptions, "ephemeral" | "wakes">;
  /** Whether unrecorded calls run, and with them modules, MCP servers and code in the prose. If false, such calls are errors. */
  readonly isLive: boolean;
}

/** How a model's calls were answered. */
export interface CallCounts {
  readonly recorded: number;
  /** Unrecorded calls: they ran or failed. */
  readonly others: number;
}

/** Another model that receives the prompts of a recorded session. */
export interface Comparison {
  /**
   * Runs a prompt in one conversation with the earlier ones. Input that the user sent while the
   * prompt ran is sent at its beginning. Yields the events of the new run.
   */
  ask(prompt: RecordedPrompt, signal: AbortSignal): AsyncIterable<AgentEvent>;
  /** How calls were answered so far. */
  readonly calls: CallCounts;
  /** Never rejects. */
  close(): Promise<void>;
}

/** As `openComparison`. */
export async function modelComparison({ recording, agent, isLive }: ComparisonOptions): Promise<Comparison> {
  const { directory } = agent;
  const known = knownTools(directory, definedTools(directory));
  const calls = new ComparedCalls(recording.prompts, known, isLive);
  const asked = isLive ? agent : { ...agent, directory: await withoutCode(directory, recording), servers: [] };
  const opened = await openChangedAgent({ ...asked, ephemeral: true, wakes: false }, (tool) => calls.inPlaceOf(tool));
  return {
    calls,
    ask: ({ number, input, steering }, signal) => {
      calls.prompt = number;
      return opened.session().prompt([input, ...steering].join("\n\n"), { signal });
    },
    close: () => opened.close(),
  };
}

const UNRECORDED = "this call was not recorded; run it with --live-tools";

/** The results of equal calls, in order, and how many of them were returned. */
interface Results {
  readonly outcomes: ToolOutcome[];
  taken: number;
}

/** The used part of an agent's tools. */
type KnownTools = Pick<ToolRegistry, "argumentsOf" | "nameOf">;

/** Answers calls with the recorded results of equal calls. Calls are equal if the tool sees the same arguments. */
class ComparedCalls implements CallCounts {
  readonly #byPrompt: ReadonlyMap<number, ReadonlyMap<string, Results>>;
  readonly #isLive: boolean;
  /** The current recorded prompt. */
  prompt = 0;
  recorded = 0;
  others = 0;

  constructor(prompts: readonly RecordedPrompt[], tools: KnownTools, isLive: boolean) {
    this.#byPrompt = new Map(prompts.map((prompt) => [prompt.number, resultsOf(prompt, tools)]));
    this.#isLive = isLive;
  }

  inPlaceOf(tool: AgentTool): AgentTool {
    return {
      ...tool,
      execute: async (args, context) => {
        const result = this.#take(tool.name, args);
        if (result) {
          this.recorded++;
          return result;
        }
        this.others++;
        return this.#isLive ? tool.execute(args, context) : errorResult(UNRECORDED);
      },
    };
  }

  /**
   * The recorded result of a call: the next one of the prompt, then the last one repeatedly; else its result in
   * another prompt. Undefined if it was never recorded.
   */
  #take(name: string, args: JsonObject): ToolResult | undefined {
    const key = keyOf(name, args);
    const own = this.#byPrompt.get(this.prompt)?.get(key);
    const results = own ?? [...this.#byPrompt.values()].find((ofPrompt) => ofPrompt.has(key))?.get(key);
    return results?.outcomes[Math.min(results.taken++, results.outcomes.length - 1)];
  }
}

function resultsOf({ history }: RecordedPrompt, tools: KnownTools): ReadonlyMap<string, Results> {
  const results = new Map<string, Results>();
  for (const { call, result } of history.turns.flatMap(({ calls }) => calls)) {
    if (result === undefined || wasNotRun(result)) continue;
    const key = keyOf(recordedName(history, call.name, tools), tools.argumentsOf(call));
    const known = results.get(key) ?? { outcomes: [], taken: 0 };
    const { content, isError, details } = result;
    known.outcomes.push({ content, isError, ...(details !== undefined && { details }) });
    results.set(key, known);
  }
  return results;
}

/** Equal for arguments that differ only in the order of their keys. */
const keyOf = (name: string, args: JsonObject): string => sortedJson([name, args]);

/** The agent without modules and MCP servers, with the recorded output of the code in its prose. */
async function withoutCode(directory: AgentDirectory, { identity }: Recording): Promise<AgentDirectory> {
  const { program, modules: _modules, ...given } = directory.definition;
  const { mcp: _mcp, ...settings } = given.settings;
  const skills = given.skills.map(({ mcpServer: _server, ...skill }) => skill);
  const definition = { ...given, settings, skills };
  if (program === undefined) return { ...directory, definition: { ...definition, modules: [] } };
  if (identity === undefined) {
    throw new ReplayError("the recording lacks the output of code in agent.mdx; run it with --live-tools");
  }
  const { parseIdentity } = await import("@mdx-ai/parser/parse");
  const identified = parseIdentity(identity, definition.settings);
  return { ...directory, definition: { ...definition, identity: identified, modules: [] } };
}
