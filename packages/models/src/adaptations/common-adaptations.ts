import type { Adaptation } from "./adaptation.ts";
import { MissingVersion } from "./missing-version.ts";
import { OutputLimit } from "./output-limit.ts";
import { RefusedFields } from "./refused-fields.ts";
import { RefusedImages } from "./refused-images.ts";
import { refusedTools } from "./refused-tools.ts";
import { unsupportedTools } from "./unsupported-tools.ts";

/**
 * The adaptations of every protocol; the first that recognizes a refusal handles it. `demanded`: required fields that are never dropped.
 */
export const commonAdaptations = (demanded: readonly string[]): readonly Adaptation[] => [
  refusedTools(),
  unsupportedTools(),
  new MissingVersion(),
  new RefusedImages(),
  new OutputLimit(),
  new RefusedFields(demanded),
];
