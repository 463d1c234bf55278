import type { Node } from "jsonc-parser";
import type { Rule } from "../../rules.ts";
import type { Severity } from "../../types/diagnostic.ts";
import type { JsonSchema } from "../../types/json.ts";

/** A mistake in the JSON. */
interface SchemaMistake {
  readonly rule: Rule;
  readonly severity?: Severity;
  readonly message: string;
  readonly hint: string;
}

/** What all parts of one schema are read against. */
export interface SchemaReading {
  readonly root: JsonSchema;
  /** The defaults found so far, each with the schema that states it. */
  readonly defaults: { readonly node: Node; readonly schema: JsonSchema }[];
  mistake(at: Node, mistake: SchemaMistake): void;
}

/** A keyword or a schema with its path. */
export interface SchemaPlace {
  readonly node: Node;
  /** The keys from the root down to it. */
  readonly path: readonly string[];
}
