import type { LoadedModules } from "../modules/loaded-modules.ts";
import type { Permissions } from "../permissions/permissions.ts";
import type { ToolHost } from "../tool-host/tool-host.ts";
import type { AgentOptions } from "../types/agent.ts";
import type { ToolSources } from "./tool-sources.ts";

/** What came out of an agent directory as it was read last, and all that another reading of it replaces. */
export interface LoadedAgent {
  /** With the directory as it was read. */
  readonly options: AgentOptions;
  readonly host: ToolHost;
  /** Builtin, inline and module tools, in this order. */
  readonly sources: ToolSources;
  /** Decides over their calls. */
  readonly permissions: Permissions;
  readonly modules: LoadedModules;
  /** Warns the user, once for all readings, of what is not contained. */
  readonly warnUncontained: (message: string) => void;
}
