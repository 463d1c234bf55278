import { type EntrypointMistake, type EntrypointScheme, mistake } from "./entrypoint-scheme.ts";

/** The target of a `python:` entrypoint. */
export interface PythonTarget {
  readonly kind: "function";
  /** With dots, such as `weather.api`. */
  readonly module: string;
  readonly name: string;
}

const FUNCTION = /^((?:[\p{L}_][\p{L}\p{N}_]*\.)*[\p{L}_][\p{L}\p{N}_]*)\.([\p{L}_][\p{L}\p{N}_]*)$/u;

/** Reads `module.path.function`. Never throws. */
export function pythonTarget(target: string): PythonTarget | EntrypointMistake {
  const [, module, name] = FUNCTION.exec(target) ?? [];
  if (module !== undefined && name !== undefined) return { kind: "function", module, name };
  const hint = "write the module and the function, such as `python:weather.forecast` for the function in weather.py";
  return mistake(`${JSON.stringify(target)} names no function of a module`, hint);
}

export const pythonScheme: EntrypointScheme = {
  read: ({ target }) => pythonTarget(target),
  neededFile: (entrypoint) => {
    const target = pythonTarget(entrypoint.target);
    if (target.kind === "mistake") return undefined;
    const path = target.module.replaceAll(".", "/");
    return {
      paths: [`${path}.py`, path],
      message: `no \`${path}.py\` in the skill's folder: the module \`${target.module}\` must be installed for python3`,
      hint: "add the file, or check the name of the module",
    };
  },
};
