import type { LoadedModules } from "./loaded-modules.ts";

/** Of an agent without modules. */
export const NO_MODULES: LoadedModules = {
  names: [],
  tools: [],
  isCurrent: () => true,
  forget: () => {},
  sections: () => [],
  start: async () => {},
  stop: () => {},
};
