import { isDeepStrictEqual } from "node:util";
import { contentText } from "../../packages/loop/src/content-text.ts";
import type { JournalLine } from "../../packages/sessions/src/journal/journal.ts";
import { readTranscript } from "../../packages/sessions/src/session/transcript.ts";
import type { LifeFiles } from "./life-files.ts";
import { transcriptProblems } from "./transcript-problems.ts";

/** A place in what the session's journals hold: characters of all of them. */
type Place = number;

/** Something that a user was told is safe, or that was done outside. */
interface Fact {
  readonly text: string;
  readonly at: Place;
}

/** Remembers what a session must not lose and must not do twice, and what was wrong. */
export class LifeWitness {
  readonly #wrong: string[] = [];
  #accepted: Fact[] = [];
  #effects: Fact[] = [];
  /** Texts that need not be found any more: of branches that were left, taken back, given back to the user. */
  #let = new Map<string, Place>();
  /** All that the journals held, without their heads. */
  #written = "";

  get complaints(): readonly string[] {
    return this.#wrong;
  }

  complain(text: string): void {
    this.#wrong.push(text);
  }

  check(isRight: boolean, text: string): void {
    if (!isRight) this.complain(text);
  }

  accept(text: string, at: Place): void {
    if (!this.#accepted.some((fact) => fact.text === text)) this.#accepted.push({ text, at });
  }

  did(text: string, at: Place): void {
    this.#effects.push({ text, at });
  }

  letGo(text: string, at: Place): void {
    if (!this.#let.has(text)) this.#let.set(text, at);
  }

  /** What was said until now may be left on a branch; what waits in the queue is not. */
  letGoAllBut(waiting: readonly string[], at: Place): void {
    for (const { text } of this.#accepted) if (!waiting.includes(text)) this.letGo(text, at);
  }

  /** The disk holds this much only: what came after that was never told to anybody. */
  goBack(written: string, place: Place): void {
    this.#accepted = this.#accepted.filter(({ at }) => at <= place);
    this.#effects = this.#effects.filter(({ at }) => at <= place);
    this.#let = new Map([...this.#let].filter(([, at]) => at <= place));
    this.#written = written;
  }

  /** Another session goes on from here. */
  fork(): void {
    for (const { text } of this.#accepted) this.#let.set(text, 0);
    this.#written = "";
  }

  /** What was said is in the archive now, and what waits still waits. */
  clear(waiting: readonly string[]): void {
    this.#accepted = waiting.map((text) => ({ text, at: 0 }));
    this.#effects = this.#effects.map(({ text }) => ({ text, at: 0 }));
    this.#written = "";
  }

  /** Looks at what the disk has by now. */
  look(files: LifeFiles): void {
    const lines = files.lines();
    const whole = readTranscript(lines).conversation.messages;
    for (const problem of transcriptProblems(whole)) this.complain(problem);
    const said = whole.flatMap((message) => (message.role === "user" ? [contentText(message.content)] : []));
    this.#checkTexts(lines, said);
    this.#checkEffects(lines);
    const written = files.written();
    this.check(written.startsWith(this.#written), "the journal was changed");
    this.#written = written;
  }

  /** What was accepted is somewhere, and nowhere twice. */
  #checkTexts(lines: readonly JournalLine[], said: readonly string[]): void {
    this.check(new Set(said).size === said.length, `told twice: ${said}`);
    const { interrupted = [], queued } = readTranscript(lines);
    const begun = interrupted.flatMap((line) => ("result" in line ? [JSON.stringify(line.result)] : []));
    const waiting = queued.map(({ text }) => text);
    const both = waiting.filter((text) => said.includes(text));
    this.check(both.length === 0, `waits and was told: ${both}`);
    for (const { text } of this.#accepted) {
      const isThere = said.includes(text) || waiting.includes(text) || begun.some((line) => line.includes(`"${text}"`));
      this.check(isThere || this.#let.has(text), `lost: ${text.slice(0, 20)}`);
    }
  }

  #checkEffects(lines: readonly JournalLine[]): void {
    const done = this.#effects.map(({ text }) => text);
    this.check(new Set(done).size === done.length, `done twice: ${done}`);
    const prompts = lines.flatMap(({ prompt }) => (prompt === 0 ? [] : [prompt]));
    const inOrder = prompts.toSorted((one, other) => one - other);
    this.check(isDeepStrictEqual(prompts, inOrder), "prompts are out of order");
  }
}
