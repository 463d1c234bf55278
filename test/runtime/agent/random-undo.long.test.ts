import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { MINIMAL_AGENT, writeFiles } from "../../support/agent-files.ts";
import { randomCases } from "../../support/random-cases.ts";
import type { Reply } from "../../support/replies.ts";
import { openScriptAgent } from "../../support/script-agent.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const CASES = randomCases(40);

/** Few contents, so that a file often gets one again. */
interface Write {
  readonly path: "a" | "b";
  readonly content: "1" | "2" | "3";
}

const path = fc.constantFrom<Write["path"][]>("a", "b");
const content = fc.constantFrom<Write["content"][]>("1", "2", "3");
/** What the user writes by hand afterwards; empty: removes. */
const byHand = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: fc.dictionary(path, fc.constantFrom("1", "2", "hand", "")) },
);
const round = fc.record({ writes: fc.array(fc.record({ path, content }), { maxLength: 4 }), byHand });
const undo = fc.record({ back: fc.integer({ min: 1, max: 3 }), force: fc.boolean(), byHand });

type Content = string | undefined;

/** A write of a tool: the whole knowledge that an undo needs. */
interface Change extends Write {
  readonly prompt: number;
  readonly before: Content;
}

/** What a file has after all prompts since `first` are taken back. */
function expected(current: Content, changes: readonly Change[], force: boolean): Content {
  const [first] = changes;
  if (first === undefined) return current;
  let left: readonly Content[] = [];
  // A write may have been cut short: then its file has what tools had written before.
  for (const { before, content } of changes) left = left.includes(before) ? [content, before] : [content];
  const isAsLeft = left.includes(current);
  return force || isAsLeft ? first.before : current;
}

/** A workspace of two files, and the plain model of what must be in them. */
class Ground {
  readonly #work: string;
  readonly #files = new Map<string, Content>();
  #changes: readonly Change[] = [];

  constructor(work: string) {
    this.#work = work;
    mkdirSync(work);
    this.byHand({ a: "old" });
  }

  byHand(texts: Readonly<Record<string, string>>): void {
    for (const [name, text] of Object.entries(texts)) {
      this.#files.set(name, text === "" ? undefined : text);
      if (text === "") rmSync(join(this.#work, name), { force: true });
      else writeFileSync(join(this.#work, name), text);
    }
  }

  /** Tools of a prompt have written this. */
  written(prompt: number, writes: readonly Write[]): void {
    for (const { path, content } of writes) {
      this.#changes = [...this.#changes, { path, content, prompt, before: this.#files.get(path) }];
      this.#files.set(path, content);
    }
  }

  /** The prompts since `first` were taken back. */
  takenBack(first: number, force: boolean): void {
    for (const name of ["a", "b"]) {
      const own = this.#changes.filter(({ path, prompt }) => path === name && prompt >= first);
      this.#files.set(name, expected(this.#files.get(name), own, force));
    }
    this.#changes = this.#changes.filter(({ prompt }) => prompt < first);
  }

  check(): void {
    for (const name of ["a", "b"]) {
      const file = join(this.#work, name);
      expect(existsSync(file) ? readFileSync(file, "utf8") : undefined).toBe(this.#files.get(name));
    }
  }
}

/** The model reads a file before it writes: it may have changed by hand. */
const repliesOf = (writes: readonly Write[], prompt: number): readonly Reply[] => [
  ...writes.flatMap(({ path, content }, index) => [
    { calls: [{ id: `read-${prompt}-${index}`, name: "read_file", arguments: { path } }] },
    { calls: [{ id: `write-${prompt}-${index}`, name: "write_file", arguments: { path, content } }] },
  ]),
  { text: "done" },
];

test(
  "random writes, changes by hand and undos: each file gets what was there before, unless it has changed since",
  async () => {
    const rounds = fc.array(round, { minLength: 1, maxLength: 5 });
    const undos = fc.array(undo, { minLength: 1, maxLength: 4 });
    const property = fc.asyncProperty(rounds, undos, async (rounds, undos) => {
      using home = temporaryDirectory();
      const agentDir = writeFiles(join(home.path, "agent"), { "agent.mdx": MINIMAL_AGENT });
      const work = join(home.path, "work");
      const ground = new Ground(work);
      const replies = rounds.flatMap(({ writes }, index) => repliesOf(writes, index));
      const permissions = { allowsAll: true };
      const agent = await openScriptAgent(agentDir, replies, { workspace: work, cwd: work, permissions });
      for (const [index, { writes, byHand }] of rounds.entries()) {
        await Array.fromAsync(agent.session().prompt(`${index + 1}`));
        ground.written(index + 1, writes);
        ground.check();
        ground.byHand(byHand);
      }
      let next = rounds.length + 1;
      for (const { back, force, byHand } of undos) {
        if (next === 1) break;
        next = Math.max(1, next - back);
        await agent.session().rewind(next, { force });
        ground.takenBack(next, force);
        ground.check();
        ground.byHand(byHand);
      }
      await agent.close();
    });
    await fc.assert(property, CASES);
  },
  60_000 + CASES.numRuns * 500,
);
