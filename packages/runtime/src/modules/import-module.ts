import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { lineText } from "../log/line-text.ts";
import { isRecord } from "../record.ts";
import { type ModuleExport, moduleExport } from "./module-contract.ts";
import { type TimeLimit, withinTime } from "./time-limit.ts";

/** A module file that cannot be imported: its code does not parse, an import of it is missing, or it throws. */
class ModuleImportError extends Error {
  override readonly name = "ModuleImportError";

  constructor(cause: unknown) {
    super(`cannot be imported: ${importFailure(cause)}`, { cause });
  }
}

/** Runs a module file and gives its default export. Rejects with `ModuleImportError` or `ModuleContractError`. */
export async function importModule(agentDir: string, file: string, limit: TimeLimit): Promise<ModuleExport> {
  const namespace = await importFile(join(agentDir, file), limit);
  return moduleExport(namespace.default);
}

async function importFile(path: string, limit: TimeLimit): Promise<{ readonly default?: unknown }> {
  try {
    return await withinTime(import(pathToFileURL(path).href), limit);
  } catch (cause) {
    throw new ModuleImportError(cause);
  }
}

/** Of several mistakes the first; where the code does not parse, with its line and column. */
function importFailure(error: unknown): string {
  const first = error instanceof AggregateError && error.errors.length > 0 ? error.errors[0] : error;
  const position = isRecord(first) ? first["position"] : undefined;
  if (!isRecord(position) || !("line" in position && "column" in position)) return lineText(first);
  return `line ${position["line"]}, column ${position["column"]}: ${lineText(first)}`;
}
