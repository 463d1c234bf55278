import type { Redactor } from "@mdx-ai/base";
import type { AgentSource } from "../agents/served-agents.ts";
import type { OriginRules } from "./access/origin.ts";
import type { Access } from "./access/tokens.ts";

export interface ServeOptions extends OriginRules {
  /** Called once, when they are first needed. */
  readonly agents: () => Promise<readonly AgentSource[]>;
  /** An address or a name of this machine. */
  readonly host: string;
  /** 0 for a free one. */
  readonly port: number;
  readonly access: Access;
  readonly redactor: Redactor;
  /** The program's version. */
  readonly version: string;
  /** Receives one line about each failure, which may be untrusted. */
  readonly onWarning: (message: string) => void;
}
