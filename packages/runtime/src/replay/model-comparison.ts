import type { AgentDirectory } from "@mdx-ai/parser";
import { openChangedAgent } from "../agent/open-agent.ts";
import { ReplayError } from "../hosts/replay-error.ts";
import { textResult } from "../tools/tool-result.ts";
import type { AgentTool } from "../types/tool.ts";
import type { CallCounts, Comparison, ComparisonOptions } from "./comparison.ts";
import { RecordedResults } from "./recorded-results.ts";
import { definedTools, knownTools } from "./recorded-tools.ts";
import type { Recording } from "./recording.ts";

/** As `openComparison`. */
export async function modelComparison({ recording, agent, isLive }: ComparisonOptions): Promise<Comparison> {
  const { directory } = agent;
  const known = knownTools(directory, definedTools(directory));
  const results = new RecordedResults(recording.prompts, known);
  const calls = new ComparedCalls(results, isLive);
  const lasting = { directory: isLive ? directory : await withoutCode(directory, recording), ephemeral: true };
  const opened = await openChangedAgent({ ...agent, ...lasting, wakes: false }, (tool) => calls.inPlaceOf(tool));
  return {
    calls,
    ask: ({ number, input, steering }, signal) => {
      calls.prompt = number;
      return opened.prompt([input, ...steering].join("\n\n"), { signal });
    },
    close: () => opened.close(),
  };
}

/** Answers calls from a recording. */
class ComparedCalls implements CallCounts {
  readonly #results: RecordedResults;
  readonly #isLive: boolean;
  /** The recorded prompt that is asked for. */
  prompt = 0;
  recorded = 0;
  others = 0;

  constructor(results: RecordedResults, isLive: boolean) {
    this.#results = results;
    this.#isLive = isLive;
  }

  inPlaceOf(tool: AgentTool): AgentTool {
    return {
      ...tool,
      execute: async (args, context) => {
        const result = this.#results.take(this.prompt, tool.name, args);
        if (result) {
          this.recorded++;
          return result;
        }
        this.others++;
        return this.#isLive ? tool.execute(args, context) : { ...textResult(UNRECORDED), isError: true };
      },
    };
  }
}

const UNRECORDED = "this call was not recorded; --live-tools would run it";

/** The agent without modules, and with what the code in its prose gave when the session was made. */
async function withoutCode(directory: AgentDirectory, { identity }: Recording): Promise<AgentDirectory> {
  const { program, modules: _modules, ...definition } = directory.definition;
  if (program === undefined) return { ...directory, definition: { ...definition, modules: [] } };
  if (identity === undefined) {
    throw new ReplayError(
      "agent.mdx holds code in its prose that the recording knows nothing of; --live-tools runs it",
    );
  }
  const { parseIdentity } = await import("@mdx-ai/parser/parse");
  const told = parseIdentity(identity, definition.settings.name);
  return { ...directory, definition: { ...definition, identity: told, modules: [] } };
}
