import type { Environment, JsonObject, JsonValue } from "@mdx-ai/base";
import type { AgentTool } from "@mdx-ai/loop";
import type { SandboxSettings, SkillToolDefinition } from "@mdx-ai/parser";
import type { EntrypointMistake } from "@mdx-ai/parser/entrypoints";
import type { Sandbox } from "@mdx-ai/sandbox";

/** What the tools of skills need of their agent. All paths are absolute. */
export interface EntrypointSurroundings {
  readonly agentDir: string;
  /** Where tools work. */
  readonly workingDirectory: string;
  /** The user's working directory. */
  readonly cwd: string;
  /** The user's variables. */
  readonly environment: Environment;
  /** Contains what can be contained; nothing is contained without it. */
  readonly sandbox?: Sandbox | undefined;
  /** The hosts that the user's own settings open: those of this machine and of private networks can be reached by them alone. */
  readonly network?: SandboxSettings["network"];
  /** Leaves the tools no network. */
  readonly toolNetwork?: "none" | undefined;
  /** The addresses of a host; default: those of the system's resolver. */
  readonly resolve?: ((host: string) => Promise<readonly string[]>) | undefined;
}

/** A tool of a skill and its surroundings. */
export interface EntrypointContext {
  readonly tool: SkillToolDefinition;
  /** The folder of the skill. Absolute. */
  readonly folder: string;
  /** The names of the arguments. */
  readonly names: readonly string[];
  readonly surroundings: EntrypointSurroundings;
}

/** What an entrypoint makes of a tool. */
export type EntrypointTool = Pick<AgentTool, "access" | "execute">;

/** Runs the tools of one scheme, for one agent. */
export interface Entrypoint {
  /** Makes a tool run as its entrypoint says, or says why it cannot. Starts nothing. */
  tool(context: EntrypointContext): EntrypointTool | EntrypointMistake;
  /** Ends the processes that serve the tools. Never rejects; may be called twice. */
  close?(): Promise<void>;
}

/** What is known of the tools of one scheme before one is used, and the code that runs them. */
export interface SkillToolKind {
  /** Whether its calls change nothing. */
  readonly readOnly?: true;
  /** What contains the command that such a tool declares. */
  readonly containment?: "container" | "sandbox";
  /** Loads the code. */
  load(surroundings: EntrypointSurroundings): Promise<Entrypoint>;
}

/** A call cannot be made with these arguments, or what it needs is missing. */
export class EntrypointError extends Error {
  override readonly name = "EntrypointError";
}

/** The arguments that are given: null counts as absent. */
export const givenArguments = (args: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null));

/** A value as text: a text as it is, all else as JSON. */
export const valueText = (value: JsonValue): string => (typeof value === "string" ? value : JSON.stringify(value));

/** Seconds that a request to a server may take, if its tool does not say otherwise. */
export const NETWORK_SECONDS = 30;
