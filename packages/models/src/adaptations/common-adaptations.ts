import type { Adaptation } from "./adaptation.ts";
import { MissingVersion } from "./missing-version.ts";
import { OutputLimit } from "./output-limit.ts";
import { RefusedFields } from "./refused-fields.ts";
import { RefusedImages } from "./refused-images.ts";
import { refusedTools } from "./refused-tools.ts";

/**
 * The adaptations that every protocol has; the first that knows a refusal answers it. `demanded` are fields that the protocol
 * demands, so that they are never left out.
 */
export const commonAdaptations = (demanded: readonly string[]): readonly Adaptation[] => [
  refusedTools(),
  new MissingVersion(),
  new RefusedImages(),
  new OutputLimit(),
  new RefusedFields(demanded),
];
