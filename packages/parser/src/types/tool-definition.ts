import type { JsonSchema, JsonValue } from "@mdx-ai/base";
import type { PermissionAction } from "./agent-settings.ts";
import type { SourcePoint } from "./diagnostic.ts";

/** What the items of an array may be. */
export type ItemType = "string" | "number" | "integer" | "boolean" | "object";

export type ParameterType = ItemType | "array";

/** One `<Param>` of a `<Tool>`, or of a `<Param>` that is an object. What the author did not say is absent. */
export interface ParameterDefinition {
  readonly name: string;
  readonly type: ParameterType;
  readonly description: string;
  /** Whether it must be given; independent of null. */
  readonly required: boolean;
  /** Whether null is allowed; independent of `required`. */
  readonly nullable?: true;
  /** Of an array: what each of its items is. */
  readonly items?: ItemType;
  /** The only values that may be given; of an array, those that its items may have. */
  readonly enum?: readonly (string | number)[];
  /** The least number, or the least count of a text's characters or an array's items. */
  readonly minimum?: number;
  /** The greatest, likewise. */
  readonly maximum?: number;
  /** A regular expression, Unicode-aware, that is found in the text or in every text of an array. */
  readonly pattern?: string;
  /** The members of an object, or of each object of an array; those that are not named are then refused. */
  readonly members?: readonly ParameterDefinition[];
  /** What a tool sees if the parameter is left out. */
  readonly default?: JsonValue;
  readonly position: SourcePoint;
}

/** The code of a `<Tool>`: its fenced code block, or the file that its `src` names. */
export interface ToolCode {
  /** The file of `src`, relative to the agent directory, separated by "/"; absent for code in agent.mdx. */
  readonly file?: string;
  /**
   * The code of the Markdown block: without the fence and without the fence's indentation, with "\n" at the line ends.
   * If a line is indented less than the fence, all lines lose only the least indentation. For a file, its text
   * unchanged, without a byte-order mark.
   */
  readonly text: string;
  /** The position of the first line of the code in the file. */
  readonly position: SourcePoint;
  /** How many columns of indentation Markdown removed; a column of `text` plus this is the column in the file. */
  readonly indent: number;
}

/** Patterns of paths, relative to the agent directory or absolute, with `*`, `**` and `?`. */
export interface ToolFiles {
  readonly read: readonly string[];
  /** May be read, too. */
  readonly write: readonly string[];
}

/** One `<Tool>` of agent.mdx. */
export interface ToolDefinition {
  /** As the author wrote it; see `wireNames` for what a model receives. */
  readonly name: string;
  readonly description: string;
  /** Empty if `schema` says what the tool takes. */
  readonly parameters: readonly ParameterDefinition[];
  /** The author's own schema of an object, if the tool has a `json schema` block instead of parameters. */
  readonly schema?: JsonSchema;
  readonly code: ToolCode;
  /** In the order of the file. */
  readonly examples: readonly ToolExample[];
  /** Names of the environment variables that the tool may see: its `env` attribute. */
  readonly environment: readonly string[];
  /** Seconds; absent if the author did not say. */
  readonly timeout?: number;
  /** Whether a call that was cut short may be made again. */
  readonly idempotent?: true;
  /** The author's request for its calls; the user's permissions decide. */
  readonly permission?: PermissionAction;
  /** The only hosts that it may reach, such as `api.example.com`, `*.example.com` or `localhost:8080`; none if empty. */
  readonly network?: readonly string[];
  /** The only files that it may access. */
  readonly files?: ToolFiles;
  readonly position: SourcePoint;
}

/** A file that the `src` of a `<Tool>` names, at the position of that attribute in agent.mdx. */
export interface ToolSource extends SourcePoint {
  /** Relative to the agent directory, separated by "/"; the `code.file` of the tools that it belongs to. */
  readonly path: string;
}

/** The expected result of the call of an example. */
export type ExampleExpectation =
  /** It does not fail. */
  | { readonly type: "success" }
  /** A text is the whole text of the result; any other value is what the result's text says as JSON. */
  | { readonly type: "result"; readonly value: JsonValue }
  /** It does not fail, and its text contains this one. */
  | { readonly type: "contains"; readonly text: string }
  /** It fails, and the error's text contains this one. */
  | { readonly type: "error"; readonly text: string };

/** An answer to a request of a tool, used instead of the network's. */
export interface ExampleResponse {
  /** From 200 to 599. */
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  /** A string is the text of the answer; any other value is sent as JSON. Absent: the answer has no body. */
  readonly body?: JsonValue;
}

/** The answers that an example declares for the requests of one URL. */
export interface ExampleFetch {
  /** In capitals; absent if the answers are for every method. */
  readonly method?: string;
  /** In the form of `URL.href`, without a fragment. */
  readonly url: string;
  /** At least one. */
  readonly responses: readonly ExampleResponse[];
  /** Whether each request takes the next answer; otherwise the only answer is for all requests. */
  readonly isSequence: boolean;
}

/** One `<Example>` of a `<Tool>`: a call that the tool's schema accepts, and its expected result. */
export interface ToolExample {
  /** Absent if the author gave none. */
  readonly name?: string;
  readonly arguments: { readonly [name: string]: JsonValue };
  readonly expected: ExampleExpectation;
  /** Whether a model sees it, in the tool's description. */
  readonly fewShot: boolean;
  /** The answers to what the tool fetches; absent if the example has no `json fetch` block. */
  readonly fetch?: readonly ExampleFetch[];
  /** The time that the tool sees, in milliseconds since 1970; absent if it sees the true time. */
  readonly now?: number;
  readonly position: SourcePoint;
}
