import { unclosedBracket } from "./unclosed-bracket.ts";

/** The language of a tool's code, as Bun names it. */
type CodeLoader = "ts" | "tsx" | "js" | "jsx";

/** The language of a tool's code: by the ending of its file, TypeScript for code in agent.mdx. */
export function codeLoader(file?: string): CodeLoader {
  if (file === undefined || /\.[cm]?ts$/i.test(file)) return "ts";
  if (/\.tsx$/i.test(file)) return "tsx";
  return /\.jsx$/i.test(file) ? "jsx" : "js";
}

/** By default Bun calls what is imported `with { type: "macro" }` while it parses. Its types lack the `false`. */
const WITHOUT_MACROS: object = { macro: false };

/** An import in code. */
interface CodeImport {
  readonly path: string;
  /** Such as "import-statement" or "dynamic-import"../. */
  readonly kind: string;
}

/** Parses code; each method throws if it cannot. */
export interface CodeTranspiler {
  transformSync(code: string): string;
  scan(code: string): { readonly exports: readonly string[]; readonly imports: readonly CodeImport[] };
  scanImports(code: string): readonly CodeImport[];
}

/** A transpiler that runs nothing: neither the code, nor its macros, nor what it imports. */
export const codeTranspiler = (loader: CodeLoader): CodeTranspiler => new Bun.Transpiler({ loader, ...WITHOUT_MACROS });

/** A mistake in code, at an offset of its text. */
interface Mistake {
  readonly offset: number;
  readonly message: string;
  readonly hint: string;
}

/** Something wrong with a code block. */
interface CodeProblem extends Mistake {
  readonly rule: "tool-code-syntax" | "tool-execute" | "heartbeat-code";
}

const probe = "$mdxAiExecute";

/** The function that code must define at its top level. */
export interface WantedFunction {
  readonly name: string;
  /** The rule that code without it breaks. */
  readonly rule: "tool-execute" | "heartbeat-code";
  readonly hint: string;
}

const EXECUTE: WantedFunction = {
  name: "execute",
  rule: "tool-execute",
  hint: "write `async function execute(params, ctx) { … }` and return a string",
};

/** Transpiles code without running any of it, and looks for a top-level function. Default: that of a tool. */
export function checkCode(code: string, loader: CodeLoader, wanted: WantedFunction = EXECUTE): readonly CodeProblem[] {
  const transpiler = codeTranspiler(loader);
  try {
    transpiler.transformSync(code);
    return defines(code, wanted.name, transpiler) ? [] : [missing(wanted)];
  } catch (error) {
    return buildMessages(error).map((message) => syntaxProblem(message, code, wanted));
  }
}

/** The problems of a whole file of TypeScript that cannot be parsed; and a default export that it lacks, if that is sure. */
export function checkModule(code: string): readonly Mistake[] {
  const transpiler = codeTranspiler("ts");
  try {
    transpiler.transformSync(code);
    const isExported = transpiler.scan(code).exports.includes("default") || /\b(?:module|exports)\b/.test(code);
    return isExported ? [] : [NO_DEFAULT];
  } catch (error) {
    return buildMessages(error).map((message) => unparsed(message, code));
  }
}

const NO_DEFAULT: Mistake = {
  offset: 0,
  message: "module without a default export, expected an AgentModule",
  hint: "write `export default { … }` with the functions of `AgentModule`",
};

/** An export of a name that the block does not declare is dropped from TypeScript, so a probe shows what is declared. */
function defines(code: string, name: string, transpiler: CodeTranspiler): boolean {
  const { exports } = transpiler.scan(`${code}\nexport { ${name} as ${probe} };`);
  return exports.includes(probe) || exports.includes(name);
}

const missing = ({ name, rule, hint }: WantedFunction): CodeProblem => ({
  ...{ rule, offset: 0, hint },
  message: `no top-level function \`${name}\``,
});

interface Message {
  readonly message: string;
  /** Bytes of UTF-8 from the start of the code. */
  readonly offset: number;
}

function buildMessages(error: unknown): readonly Message[] {
  const messages = error instanceof AggregateError ? error.errors : [error];
  return messages.map((message: unknown) => ({ message: textOf(message), offset: byteOffsetOf(message) }));
}

function textOf(message: unknown): string {
  return message instanceof Error || message instanceof BuildMessage ? message.message : String(message);
}

function byteOffsetOf(message: unknown): number {
  return message instanceof BuildMessage ? (message.position?.offset ?? 0) : 0;
}

/** What the compiler says of a bracket that is not closed: it notices at the end. */
const UNENDED = /\bend of file\b|^Unexpected (?:export|import)\b/i;

/** What the compiler says of code that is a body without its function; it points behind the statement. */
const NO_FUNCTION = /^Top-level return\b/i;

function syntaxProblem(message: Message, code: string, { name, hint }: WantedFunction): CodeProblem {
  if (NO_FUNCTION.test(message.message)) {
    const offset = Math.max(0, code.lastIndexOf("return", offsetIn(code, message)));
    return { rule: "tool-code-syntax", offset, message: `\`return\` outside of a function \`${name}\``, hint };
  }
  const problem = unparsed(message, code);
  const hasFence = problem.hint === CORRECT && /^[ \t]*(?:```|~~~)/m.test(code);
  return { rule: "tool-code-syntax", ...problem, ...(hasFence && { hint: MORE_FENCE }) };
}

const CORRECT = "correct the code here";
const MORE_FENCE = "if a fence within the code closes the block, open and close the block with one more character";

function unparsed(message: Message, code: string): Mistake {
  const open = UNENDED.test(message.message) ? unclosedBracket(code) : undefined;
  if (open !== undefined) {
    const { offset, bracket, expected } = open;
    return {
      ...{ offset, message: `the \`${bracket}\` is not closed, expected \`${expected}\`` },
      hint: `write \`${expected}\` where the block that begins here should end`,
    };
  }
  return {
    offset: offsetIn(code, message),
    message: `cannot parse the code (${message.message.replace(/\s+/g, " ")})`,
    hint: CORRECT,
  };
}

const offsetIn = (code: string, { offset }: Message): number => Buffer.from(code).subarray(0, offset).toString().length;
