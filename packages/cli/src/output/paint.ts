import type { Environment } from "@mdx-ai/models";
import type { Output } from "./output.ts";

export type Colour = "red" | "green" | "yellow" | "dim" | "bold";

/** Colours a text. */
export type Paint = (colour: Colour, text: string) => string;

const CODES = { red: [31, 39], green: [32, 39], yellow: [33, 39], dim: [2, 22], bold: [1, 22] } as const;

/** Colours only on a terminal, and none if `NO_COLOR` is set or `TERM` is "dumb". */
export function createPaint(output: Output, environment: Environment): Paint {
  if (environment["NO_COLOR"] || environment["TERM"] === "dumb" || !output.isTerminal) return (_colour, text) => text;
  return (colour, text) => {
    const [on, off] = CODES[colour];
    return `\u001b[${on}m${text}\u001b[${off}m`;
  };
}
