import { isUserMessage } from "@mdx-ai/models";
import { contentText } from "../content-text.ts";
import { isDelivery } from "../hosts/inbox.ts";
import type { JournalLine } from "../journal/journal-line.ts";
import { isDeliverStep, isSteerStep } from "../step-names.ts";
import type { TraceSteering } from "./trace.ts";

/** A delivery: so many of what the user said are told from a turn on. */
interface Told {
  readonly step: string;
  readonly turn: number;
  readonly upTo: number;
}

/** What the user said while a prompt ran, and the steps that tell of it. */
interface SteeringTrace {
  readonly steering: readonly TraceSteering[];
  readonly known: readonly string[];
}

/** Reads the lines of a prompt. */
export function steeringTrace(lines: readonly JournalLine[]): SteeringTrace {
  const deliveries = lines.flatMap(deliveryOf);
  const said = lines.flatMap((line) => {
    if (!isSteerStep(line.step) || !("result" in line) || !isUserMessage(line.result)) return [];
    return [{ step: line.step, text: contentText(line.result.content), at: line.result.timestamp }];
  });
  const steering = said.map((one, place) => {
    const turn = deliveries.find(({ upTo }) => upTo > place)?.turn;
    return { ...one, ...(turn !== undefined && { turn }) };
  });
  return { steering, known: [...said, ...deliveries].map(({ step }) => step) };
}

function deliveryOf(line: JournalLine): readonly Told[] {
  const { step } = line;
  if (!isDeliverStep(step) || !("result" in line) || !isDelivery(line.result)) return [];
  const turn = Number(step.slice(step.indexOf(":") + 1));
  return Number.isSafeInteger(turn) ? [{ step, turn, upTo: line.result.upTo }] : [];
}
