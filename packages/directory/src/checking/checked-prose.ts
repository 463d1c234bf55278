import { SourceMap } from "node:module";
import { isRecord } from "@mdx-ai/base";
import type { AgentDefinition, Diagnostic, SourcePoint } from "@mdx-ai/parser";
import type { CompilerMessage } from "./compiler.ts";
import type { ProjectFile } from "./lay-out-project.ts";
import { offsetOf, pointAt } from "./source-positions.ts";

/** The code in the prose of agent.mdx, for the compiler. */
export interface CheckedProse {
  /** The program that the prose is compiled to. */
  readonly file: ProjectFile;
  /** The source map from the program to agent.mdx. */
  readonly map: SourceMap;
}

const MAP_COMMENT = /\n\/\/# sourceMappingURL=data:application\/json;base64,([A-Za-z0-9+/=]+)\s*$/;

/** Replaced elements would have the type `any`, which would hide the types of all elements. */
const REPLACED = /^ {4}\.\.\.props\.components$/m;

/** The compiler's input for a file with code in its prose; see `AgentDefinition.program`. */
export function checkedProse({ program = "" }: AgentDefinition): CheckedProse | undefined {
  const [comment, encoded] = MAP_COMMENT.exec(program) ?? [];
  if (comment === undefined || encoded === undefined) return undefined;
  const payload: unknown = JSON.parse(Buffer.from(encoded, "base64").toString());
  if (!isSourceMap(payload)) return undefined;
  const text = program.slice(0, -comment.length).replace(REPLACED, (found) => " ".repeat(found.length));
  return { file: { path: "agent.mdx.prose.ts", text: `${text}\n` }, map: new SourceMap(payload) };
}

type MapPayload = ConstructorParameters<typeof SourceMap>[0];

const isSourceMap = (value: unknown): value is MapPayload => isRecord(value) && typeof value["mappings"] === "string";

/**
 * The messages about code that fails or renders nothing: a name, a member, a file or an export that does not exist, and a value that
 * cannot be called. "Possibly undefined" is excluded, since prose declares no types.
 */
const FAILING: readonly number[] = [
  ...[2304, 2305, 2307, 2339, 2349, 2351, 2448, 2449, 2488, 2551, 2552, 2614, 2724, 18050],
];

/** The messages about a value of an unexpected type. */
const MISFITS: readonly number[] = [2322, 2345, 2769];

/** The mistake behind a compiler message; undefined if the code is correct or works anyway. */
export function proseDiagnostic(message: CompilerMessage, { file, map }: CheckedProse): Diagnostic | undefined {
  const offset = offsetOf(file.text, message);
  const found = MISFITS.includes(message.code)
    ? mismatch(message, file.text, offset)
    : failure(message, file.text, offset);
  const point = found === undefined ? undefined : pointInSource(map, pointAt(file.text, found.offset));
  return found === undefined || point === undefined
    ? undefined
    : { file: "agent.mdx", severity: "error", rule: "prose-types", ...point, ...found.said };
}

interface Found {
  readonly offset: number;
  readonly said: Pick<Diagnostic, "message" | "hint">;
}

function failure({ code, text, details }: CompilerMessage, program: string, offset: number): Found | undefined {
  if (!FAILING.includes(code) || mayRun(text, program)) return undefined;
  const hint = details.at(-1);
  return { offset, said: { message: `${text} (TS${code})`, ...(hint === undefined ? {} : { hint }) } };
}

/**
 * Whether the code may work despite the message: a member that one of several types has, or that the code adds; an item
 * of an initially empty list; a name that Bun defines; a kind of file that Bun imports without types.
 */
function mayRun(message: string, program: string): boolean {
  const [, member, type = ""] = /^Property '(.*?)' does not exist on type '(.*)'/.exec(message) ?? [];
  if (member !== undefined) return isOpen(type, member) || isAssigned(member, program);
  const name = /^Cannot find name '(.*?)'/.exec(message)?.[1];
  if (name !== undefined) return name in globalThis;
  const file = /^Cannot find module '(.*?)'/.exec(message)?.[1];
  return file !== undefined && /\.\w+$/.test(file) && !/\.(?:[cm]?[jt]sx?|json)$/.test(file);
}

/** Whether a type is unknown, or a union in which another type may have the member. */
function isOpen(type: string, member: string): boolean {
  if (/^(?:never|\{\})$/.test(type)) return true;
  const types = type.split(" | ");
  const areShown = types.every((one) => /^\{ .* \}$/.test(one));
  return types.length > 1 && !(areShown && ![`{ ${member}`, `; ${member}`].some((start) => type.includes(start)));
}

const isAssigned = (member: string, program: string): boolean =>
  Array.from(program.matchAll(/\.([\w$]+)\s*=(?![=>])/g), ([, name]) => name).includes(member);

/** Only rendered values and components are sure to fail with another type. */
function mismatch({ code, text }: CompilerMessage, program: string, offset: number): Found | undefined {
  const [, given = ""] =
    /^(?:Argument of type|Type) '(.*)' is not assignable to (?:parameter of )?type '/.exec(text) ?? [];
  if (given === "" || given === "unknown" || !/\b(?:Child|Component)\b/.test(text)) return undefined;
  const [key = ""] = /^children: /.exec(program.slice(offset, offset + 20)) ?? [];
  const isComponent = /'Component'$/.test(text);
  const said = isComponent
    ? {
        message: `unexpected value of the type \`${given}\` as a component (TS${code})`,
        hint: "a component is a function",
      }
    : {
        message: `unexpected value of the type \`${given}\`, expected text, a number, an element or a list of them (TS${code})`,
        hint: "show one of its members, or convert it to text: `JSON.stringify(…)`",
      };
  return { offset: offset + key.length, said };
}

/** Undefined for code that the MDX compiler added. */
function pointInSource(map: SourceMap, { line, column }: SourcePoint): SourcePoint | undefined {
  const entry = map.findEntry(line - 1, column - 1);
  if (!("originalLine" in entry) || entry.generatedLine !== line - 1) return undefined;
  return { line: entry.originalLine + 1, column: entry.originalColumn + 1 };
}
