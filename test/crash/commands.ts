import type { SessionSizes } from "../support/crash-command.ts";
import type { DialogueCrash } from "../support/crash-dialogue.ts";

/** A command that changes a session, and what it leads to. */
export interface CommandBoundary {
  readonly name: string;
  /** "used" has a session of 5 messages, "segments" one of 18 in two prompts and two journals. */
  readonly ground: "used" | "segments";
  readonly command: readonly string[];
  readonly outcome: SessionSizes;
}

export const COMMANDS: readonly CommandBoundary[] = [
  {
    name: "while a session is renamed",
    ground: "segments",
    command: ["rename", "main", "other"],
    outcome: { other: 18 },
  },
  { name: "while a session is deleted", ground: "segments", command: ["delete", "main", "--yes"], outcome: {} },
  {
    name: "while a session is forked",
    ground: "segments",
    command: ["fork", "main", "copy"],
    outcome: { copy: 18, main: 18 },
  },
  {
    name: "while a session is forked at an earlier prompt",
    ground: "segments",
    command: ["fork", "main", "copy", "--at", "1"],
    outcome: { copy: 5, main: 18 },
  },
  {
    name: "while a session is rewound",
    ground: "segments",
    command: ["rewind", "main", "--to", "1"],
    outcome: { main: 5 },
  },
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
