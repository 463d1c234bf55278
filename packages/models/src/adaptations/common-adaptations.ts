import type { Adaptation } from "./adaptation.ts";
import { refusedTools } from "./refused-tools.ts";

/** The adaptations that every protocol has; the first that knows a refusal answers it. */
export const commonAdaptations = (): readonly Adaptation[] => [refusedTools()];
