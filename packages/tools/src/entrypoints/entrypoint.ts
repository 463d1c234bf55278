import type { Environment, JsonObject, JsonValue } from "@mdx-ai/base";
import type { AgentTool } from "@mdx-ai/loop";
import type { SandboxSettings, SkillToolDefinition } from "@mdx-ai/parser";
import type { EntrypointMistake } from "@mdx-ai/parser/entrypoints";
import type { Sandbox } from "@mdx-ai/sandbox";

/** The parts of an agent that tools of skills need. All paths are absolute. */
export interface EntrypointOptions {
  readonly agentDir: string;
  /** The folder where tools work. */
  readonly workingDirectory: string;
  /** The user's working directory. */
  readonly cwd: string;
  /** The user's environment variables. */
  readonly environment: Environment;
  /** The sandbox; without it, nothing is sandboxed. */
  readonly sandbox?: Sandbox | undefined;
  /** The hosts that the user's settings allow. Only these can be addresses of this machine or of private networks. */
  readonly network?: SandboxSettings["network"];
  /** Removes the network from the tools. */
  readonly toolNetwork?: "none" | undefined;
  /** Resolves the addresses of a host. Default: the system's resolver. */
  readonly resolve?: ((host: string) => Promise<readonly string[]>) | undefined;
}

/** A tool of a skill and its environment. */
export interface EntrypointContext {
  readonly tool: SkillToolDefinition;
  /** The folder of the skill. Absolute. */
  readonly folder: string;
  /** The names of the arguments. */
  readonly names: readonly string[];
  readonly options: EntrypointOptions;
}

/** A tool as an entrypoint runs it. */
export type EntrypointTool = Pick<AgentTool, "access" | "execute">;

/** Runs the tools of one scheme, for one agent. */
export interface Entrypoint {
  /** Makes a tool runnable by its entrypoint, or returns why it cannot run. Starts nothing. */
  tool(context: EntrypointContext): EntrypointTool | EntrypointMistake;
  /** Ends the processes that serve the tools. Never rejects; may be called twice. */
  close?(): Promise<void>;
}

/** The facts about tools of one scheme before first use, and the code that runs them. */
export interface SkillToolKind {
  /** Whether its calls are read-only. */
  readonly readOnly?: true;
  /** What sandboxes the command that such a tool declares. */
  readonly containment?: "container" | "sandbox";
  /** Loads the code. */
  load(options: EntrypointOptions): Promise<Entrypoint>;
}

/** A call cannot be made with these arguments, or a requirement is missing. */
export class EntrypointError extends Error {
  override readonly name = "EntrypointError";
}

/** The given arguments; null counts as absent. */
export const givenArguments = (args: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null));

/** A value as text: a string unchanged, anything else as JSON. */
export const valueText = (value: JsonValue): string => (typeof value === "string" ? value : JSON.stringify(value));

/** The default timeout of a request to a server, in seconds. */
export const NETWORK_SECONDS = 30;
