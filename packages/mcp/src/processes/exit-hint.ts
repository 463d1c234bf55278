import type { Environment } from "@mdx-ai/base";

export interface EndedProgram {
  /** The last part of its standard error. */
  readonly words: string;
  /** The variables that were passed to it. */
  readonly passed: Environment;
  /** The user's variables. */
  readonly environment: Environment;
}

/** Names of variables: in capitals, with at least one underscore. */
const NAMES = /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g;

/** Error codes that look like names of variables. */
const ERROR_CODES = /^(?:ERR|E|MODULE_NOT|SELF_SIGNED|UNABLE_TO|DEPTH_ZERO)_/;

const SPEAKS_OF_VARIABLES =
  /environment|\benv\b|variable|api.?key|token|credential|secret|missing|required|\bset\b|provide/i;

const HAS_NO_PROGRAM =
  /([\w./-]+): (?:command )?not found|env: ['‘“"]?([\w./-]+)['’”"]?: No such file|spawn ([\w./-]+) ENOENT/i;

/** What to check after a program ended unexpectedly, as the rest of a sentence; empty if its output suggests nothing. */
export function exitHint({ words, passed, environment }: EndedProgram): string {
  const program = HAS_NO_PROGRAM.exec(words)
    ?.slice(1)
    .find((name) => name !== undefined);
  if (program !== undefined) return `; is ${program} installed, and on PATH?`;
  const missing = [...new Set(words.match(NAMES))].filter((name) => !ERROR_CODES.test(name) && !passed[name]);
  const own = missing.find((name) => environment[name]);
  if (own !== undefined)
    return `; it receives your variable ${own} only if env: of the server names it: ${own}: "\${${own}}"`;
  if (words !== "" && !SPEAKS_OF_VARIABLES.test(words)) return "";
  const [name] = missing;
  return name === undefined
    ? "; it receives few of your variables unless env: of the server names them"
    : `; set ${name} under env: of the server, since it receives few of your variables`;
}

/** Programs that another package installs. */
const COMES_WITH: Readonly<Record<string, string>> = {
  node: "Node.js",
  npx: "Node.js",
  npm: "Node.js",
  uv: "uv",
  uvx: "uv",
  docker: "Docker",
};

/** What to install if a program is missing, as the rest of a sentence; empty if unknown. */
export const installHint = (program: string): string =>
  Object.hasOwn(COMES_WITH, program) ? `; it comes with ${COMES_WITH[program]}` : "";
