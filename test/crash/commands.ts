import type { SessionSizes } from "../support/crash-command.ts";
import type { DialogueCrash } from "../support/crash-dialogue.ts";

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

/** A command of the terminal that changes a session. */
export interface DialogueBoundary extends Pick<DialogueCrash, "command" | "isDone" | "outcomes"> {
  readonly name: string;
  readonly ground: "used" | "segments";
}

const CLEARED = /is archived/;

export const DIALOGUES: readonly DialogueBoundary[] = [
  { name: "while /clear archives", ground: "used", command: "/clear", isDone: CLEARED, outcomes: [7, 2] },
  {
    name: "while /clear archives two journals",
    ground: "segments",
    command: "/clear",
    isDone: CLEARED,
    outcomes: [20, 2],
  },
  { name: "while /compact summarises", ground: "used", command: "/compact", isDone: /instead of/, outcomes: [7] },
];
