/** How the result of a step is kept and what becomes of one that a crash cut short. */
export interface StepOptions<Result> {
  /** Narrows what a journal holds; a result that it refuses counts as damage of the journal. */
  accepts(value: unknown): value is Result;
  /**
   * Given for a step with effects outside: a marker is journaled before `run` begins, and where a marker stands
   * without a result, this answers instead of `run`, so that nothing is done twice.
   */
  readonly interrupted?: (() => Result) | undefined;
  /**
   * `run` begins without waiting for the disk, and calls and awaits `onDisk` itself before it does what a crash must not
   * make it do again. One that only looks need not.
   */
  readonly eager?: boolean;
}

/**
 * One touch of the outside. Runs `run` once and journals its result, which must be JSON; where the journal holds a
 * result under `name` already, returns that. Names are deterministic and unique within a prompt.
 * Everything journaled before is on disk when `run` begins, unless it is eager, or else when `onDisk()` resolves.
 */
export type Step = <Result>(
  name: string,
  run: (onDisk: () => Promise<void>) => Promise<Result>,
  options: StepOptions<Result>,
) => Promise<Result>;
