import { type EntrypointMistake, mistake } from "./entrypoint-mistake.ts";

/** The target of a `python:` entrypoint. */
export interface PythonTarget {
  readonly kind: "function";
  /** With dots, such as `weather.api`. */
  readonly module: string;
  readonly name: string;
}

const FORM = /^((?:[\p{L}_][\p{L}\p{N}_]*\.)*[\p{L}_][\p{L}\p{N}_]*)\.([\p{L}_][\p{L}\p{N}_]*)$/u;

/** Reads `module.path.function`. Never throws. */
export function pythonTarget(target: string): PythonTarget | EntrypointMistake {
  const [, module, name] = FORM.exec(target) ?? [];
  if (module !== undefined && name !== undefined) return { kind: "function", module, name };
  const hint = "write the module and the function, such as `python:weather.forecast` for the function in weather.py";
  return mistake(`${JSON.stringify(target)} names no function of a module`, hint);
}
