import type { Program } from "./pattern-program.ts";

/** The steps that are left for all texts together. */
export interface StepBudget {
  left: number;
}

/**
 * Whether a program finds its pattern in a text; false, too, once the budget is used up. The time grows with the length of the
 * text times that of the program, however the pattern is written.
 */
export function runProgram(program: Program, text: string, budget: StepBudget): boolean {
  return new ProgramRun([...text], budget).finds(program, 0, false);
}

class ProgramRun {
  readonly #characters: readonly string[];
  readonly #budget: StepBudget;

  constructor(characters: readonly string[], budget: StepBudget) {
    this.#characters = characters;
    this.#budget = budget;
  }

  /** From a position, or, unless `isFixed`, from any behind it. */
  finds(program: Program, from: number, isFixed: boolean): boolean {
    let states = new Set<number>();
    for (let position = from; ; position++) {
      if (position === from || !isFixed) states.add(0);
      const reached = this.#reached(program, states, position);
      if (reached === "found") return true;
      const character = this.#characters[position];
      if (reached === "spent" || character === undefined || (isFixed && reached.length === 0)) return false;
      states = after(program, reached, character);
    }
  }

  /** The states that wait for a character, reachable from the given ones without reading one. */
  #reached(program: Program, states: ReadonlySet<number>, position: number): readonly number[] | "found" | "spent" {
    const seen = new Set(states);
    const waiting: number[] = [];
    const go = (state: number): void => void seen.add(state);
    // A set is walked in the order in which it grows.
    for (const state of seen) {
      if (--this.#budget.left < 0) return "spent";
      const instruction = program[state];
      if (instruction?.type === "found") return "found";
      if (instruction?.type === "character") waiting.push(state);
      if (instruction?.type === "split") instruction.to.forEach(go);
      if (instruction?.type === "edge" && this.#isEdge(instruction.edge, position)) go(state + 1);
      if (instruction?.type === "look" && this.finds(instruction.program, position, true) !== instruction.isNegative) {
        go(state + 1);
      }
    }
    return waiting;
  }

  #isEdge(edge: "^" | "$" | "\\b" | "\\B", position: number): boolean {
    if (edge === "^") return position === 0;
    if (edge === "$") return position === this.#characters.length;
    const isWord = (character: string | undefined): boolean => character !== undefined && /^\w$/u.test(character);
    const changes = isWord(this.#characters[position - 1]) !== isWord(this.#characters[position]);
    return changes === (edge === "\\b");
  }
}

/** The states behind a character, of those that wait for one. */
function after(program: Program, waiting: readonly number[], character: string): Set<number> {
  const fitting = waiting.filter((state) => {
    const instruction = program[state];
    return instruction?.type === "character" && instruction.fits(character);
  });
  return new Set(fitting.map((state) => state + 1));
}
