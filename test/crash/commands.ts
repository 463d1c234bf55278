import type { SessionSizes } from "../support/crash-command.ts";

/** A command that changes a session of five messages, and what it leads to. */
export interface CommandBoundary {
  readonly name: string;
  readonly command: readonly string[];
  readonly outcome: SessionSizes;
}

export const COMMANDS: readonly CommandBoundary[] = [
  { name: "while a session is renamed", command: ["rename", "main", "other"], outcome: { other: 5 } },
  { name: "while a session is deleted", command: ["delete", "main", "--yes"], outcome: {} },
];
