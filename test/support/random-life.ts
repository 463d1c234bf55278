import fc from "fast-check";

/** What happens while a model is asked. */
type Interjection = "steer" | "enqueue" | "abort";

/** One answer of the model in a life. */
export interface LifeAnswer {
  /** Tools that it calls. */
  readonly calls: readonly ("effect" | "look" | "steering")[];
  /** How often the text is said; long ones make summaries and new journals. */
  readonly length: number;
  readonly failure: "none" | "overloaded" | "final" | "too long";
  /** Before it comes. */
  readonly meanwhile: readonly Interjection[];
}

/** Something that happens to a session. */
export type LifeEvent =
  | { readonly type: "prompt"; readonly answers: readonly LifeAnswer[]; readonly length: number }
  /** What is left over is worked off. */
  | { readonly type: "resume"; readonly answers: readonly LifeAnswer[] }
  | { readonly type: "enqueue" }
  | { readonly type: "dequeue"; readonly place: number }
  | { readonly type: "compact" }
  | { readonly type: "reopen" }
  /** The process ends where so much of the last event's lines is written: at a line's end, or in the middle of one. */
  | { readonly type: "kill"; readonly share: number; readonly isTorn: boolean }
  | { readonly type: "rewind"; readonly place: number }
  | { readonly type: "fork"; readonly place: number }
  | { readonly type: "clear" };

/** A session's life. */
export interface LifePlan {
  /** Messages that are sent at most. */
  readonly messages: number | undefined;
  /** Tokens of the model's window. */
  readonly window: number | undefined;
  /** Bytes from which on a journal is put aside. */
  readonly longFrom: number;
  readonly events: readonly LifeEvent[];
}

const answer: fc.Arbitrary<LifeAnswer> = fc.record({
  calls: fc.oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    fc.array(fc.constantFrom("effect", "effect", "look", "steering"), { minLength: 1, maxLength: 3 }),
  ),
  length: fc.constantFrom(1, 1, 30, 200),
  failure: fc.constantFrom("none", "none", "none", "none", "none", "overloaded", "final", "too long"),
  meanwhile: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    fc.array(fc.constantFrom<Interjection>("steer", "steer", "enqueue", "abort"), { minLength: 1, maxLength: 2 }),
  ),
});

const answers = fc.array(answer, { minLength: 1, maxLength: 4 });
const place = fc.nat({ max: 12 });

const event: fc.Arbitrary<LifeEvent> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ type: fc.constant("prompt"), answers, length: fc.constantFrom(1, 1, 60) }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant("resume"), answers }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("enqueue") }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("dequeue"), place }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("compact") }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant("reopen") }) },
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant("kill"),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
      isTorn: fc.boolean(),
    }),
  },
  { weight: 4, arbitrary: fc.record({ type: fc.constant("rewind"), place }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("fork"), place }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("clear") }) },
);

/** Lives with prompts, steering, queues, failures, summaries, kills, ways back, forks and journals that roll over. */
export const randomLife: fc.Arbitrary<LifePlan> = fc.record({
  messages: fc.option(fc.constantFrom(3, 6), { nil: undefined, freq: 2 }),
  window: fc.option(fc.constantFrom(1200, 3000), { nil: undefined, freq: 2 }),
  longFrom: fc.constantFrom(2000, 8000, 40_000, 1_000_000),
  events: fc.array(event, { minLength: 2, maxLength: 14 }),
});
