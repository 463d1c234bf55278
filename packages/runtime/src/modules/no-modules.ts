import type { LoadedModules } from "./loaded-modules.ts";

/** The modules of an agent without any. */
export const NO_MODULES: LoadedModules = {
  names: [],
  tools: [],
  owners: new Map(),
  hooks: {
    has: () => false,
    beforePrompt: async () => ({ contexts: [] }),
    beforeTool: async () => ({}),
    afterTool: async () => {},
    afterPrompt: async () => {},
  },
  isCurrent: () => true,
  forget: () => {},
  sections: () => [],
  start: async () => {},
  stop: () => {},
};
