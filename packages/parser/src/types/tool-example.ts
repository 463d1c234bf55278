import type { SourcePoint } from "./diagnostic.ts";
import type { JsonValue } from "./json.ts";

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

/** One `<Example>` of a `<Tool>`: a call that the tool's schema accepts, and its expected result. */
export interface ToolExample {
  /** Absent where the author gave none. */
  readonly name?: string;
  readonly arguments: { readonly [name: string]: JsonValue };
  readonly expected: ExampleExpectation;
  /** Whether a model sees it, in the tool's description. */
  readonly fewShot: boolean;
  readonly position: SourcePoint;
}
