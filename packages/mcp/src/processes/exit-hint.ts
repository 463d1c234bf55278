import type { Environment } from "@mdx-ai/base";

export interface EndedProgram {
  /** The end of its standard error. */
  readonly words: string;
  /** The variables that it had. */
  readonly passed: Environment;
  /** The variables of the user. */
  readonly environment: Environment;
}

/** Names of variables, which programs write in capitals and with an underscore. */
const NAMES = /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g;

/** Codes of errors that look like names of variables. */
const ERROR_CODES = /^(?:ERR|E|MODULE_NOT|SELF_SIGNED|UNABLE_TO|DEPTH_ZERO)_/;

const SPEAKS_OF_VARIABLES =
  /environment|\benv\b|variable|api.?key|token|credential|secret|missing|required|\bset\b|provide/i;

const HAS_NO_PROGRAM =
  /([\w./-]+): (?:command )?not found|env: ['‘“"]?([\w./-]+)['’”"]?: No such file|spawn ([\w./-]+) ENOENT/i;

/** What to look at if a program ended by itself, as the rest of a sentence; empty if its words suggest nothing. */
export function exitHint({ words, passed, environment }: EndedProgram): string {
  const program = HAS_NO_PROGRAM.exec(words)
    ?.slice(1)
    .find((name) => name !== undefined);
  if (program !== undefined) return `; is ${program} installed, and on PATH?`;
  const missing = [...new Set(words.match(NAMES))].filter((name) => !ERROR_CODES.test(name) && !passed[name]);
  const own = missing.find((name) => environment[name]);
  if (own !== undefined)
    return `; it does not get your variable ${own} unless env: of the server names it: ${own}: "\${${own}}"`;
  if (words !== "" && !SPEAKS_OF_VARIABLES.test(words)) return "";
  const [name] = missing;
  return name === undefined
    ? "; of your variables it gets few unless env: of the server names them"
    : `; set ${name} under env: of the server, since it gets few of your variables`;
}

/** Programs that come with others. */
const COMES_WITH: Readonly<Record<string, string>> = {
  node: "Node.js",
  npx: "Node.js",
  npm: "Node.js",
  uv: "uv",
  uvx: "uv",
  docker: "Docker",
};

/** What a user installs who does not have a program, as the rest of a sentence; empty if that is not known. */
export const installHint = (program: string): string =>
  Object.hasOwn(COMES_WITH, program) ? `; it comes with ${COMES_WITH[program]}` : "";
