import type { AgentModule } from "../types/module.ts";

/** A module at work. */
export interface LiveModule {
  /** Where its failures are said to be: the file, or a builtin's name. */
  readonly place: string;
  readonly name: string;
  readonly module: AgentModule;
}
