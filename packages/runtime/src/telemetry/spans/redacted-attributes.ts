import type { Attributes } from "@opentelemetry/api";
import type { Redactor } from "../../redaction/redactor.ts";
import { ATTRIBUTE } from "../conventions.ts";

/** The attributes that say what people and tools said. */
const CONTENTS: readonly string[] = [
  ATTRIBUTE.systemInstructions,
  ATTRIBUTE.inputMessages,
  ATTRIBUTE.outputMessages,
  ATTRIBUTE.toolArguments,
  ATTRIBUTE.toolResult,
];

/** Attributes without what the redactor takes out of their contents. */
export const redactedAttributes = (attributes: Attributes, redactor: Redactor): Attributes =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [
      name,
      typeof value === "string" && CONTENTS.includes(name) ? redactor.text(value) : value,
    ]),
  );
