/**
 * A mock of the world: what servers, vendors and models were seen to do that no specification says, with the right result.
 *
 * A row says where it was seen, what the server answers, and what must come of it. Add one to the table of its kind in
 * `oddities/`: write the bytes with the helpers of `wire-bodies.ts`, and expect only what the row is about. Each table is
 * run by the test of its name:
 *
 * - `answers-*.ts`: answers of models; a whole prompt runs in this process.
 * - `refusals.ts`: what is no answer; the model is asked over every protocol.
 * - `prompts.ts`: refusals that a prompt survives, with what is sent the next time.
 * - `calls.ts`: calls of tools as models write them; a whole prompt runs.
 * - `schemas.ts`: tools of MCP servers and what vendors accept of them; a whole prompt runs.
 * - `texts.ts`: edits of files and output of commands, and what a search of the memory finds.
 * - `mcp.ts`: answers of MCP servers, over stdio and over HTTP.
 * - `combinations.test.ts` puts independent oddities together at random.
 */

import type { Wire } from "../support/wire-server.ts";
import type { Replied } from "./played-server.ts";

/** Where a row comes from. */
export interface Recorded {
  /** In a few words, with the server that does it. */
  readonly name: string;
  /** The address of a public report or document. */
  readonly seen: string;
}

/** What a prompt meets, and what must come of it. */
export interface Oddity extends Recorded {
  readonly wire: Wire;
  /** One for each request; a text is the body of a stream. Every further request is answered with the text "Done.". */
  readonly replies: readonly Replied[];
  /** Default: a model of the wire whose name says nothing. */
  readonly model?: string;
  readonly flags?: readonly string[];
  /** Variables over those of keys and addresses; `$url` is the address of the server. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Files of the workspace, after `base64:` as bytes; there is always `a.md`, with the text "alpha". */
  readonly files?: Readonly<Record<string, string>>;
  /** The frontmatter of the agent, in lines. */
  readonly settings?: string;
  /** Tools of an MCP server that the agent has as `mcp.odd.NAME`. A call is answered with its arguments as JSON. */
  readonly tools?: readonly unknown[];
  readonly expected: Expected;
}

/** What must come of a prompt; what is not set may be anything. */
export interface Expected {
  readonly exit?: number;
  /** The text of the last answer. */
  readonly text?: string;
  /** All thinking of all answers. */
  readonly thinking?: string;
  /** All calls of all answers that count, such as `read_file {"path":"a.md"}`. */
  readonly calls?: readonly string[];
  /** The tools that ran without an error, under their true names. */
  readonly ran?: readonly string[];
  /** The tools whose calls were answered with an error. */
  readonly failed?: readonly string[];
  /** What the last answer stopped for. */
  readonly stop?: string;
  /** How many requests were sent. */
  readonly requests?: number;
  /** The paths that were asked. */
  readonly paths?: readonly string[];
  /** Texts in what the user or the model is told: warnings, errors, results of tools. Upper and lower case do not count. */
  readonly says?: readonly string[];
  /** Texts that are nowhere: not in the answer, not on standard error. */
  readonly lacks?: readonly string[];
  /** Whether the bodies of the requests are right. */
  readonly sent?: (bodies: readonly Body[]) => boolean;
  /** Files of the workspace after the prompt. */
  readonly files?: Readonly<Record<string, string>>;
}

/** The body of a request. */
export type Body = Readonly<Record<string, unknown>>;
