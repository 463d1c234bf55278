import type { Construct, Effects, State, TokenizeContext } from "micromark-util-types";
import { VFileMessage } from "vfile-message";
import { withoutStackTraces } from "./messages.ts";

/** A construct and what it is run with. */
export interface ConstructRun {
  readonly construct: Construct;
  readonly context: TokenizeContext;
  readonly effects: Effects;
  readonly ok: State;
  readonly nok: State;
  /** Receives what the construct throws about the text. */
  readonly onFailure: (message: VFileMessage) => void;
}

/** Runs a construct that throws where its syntax is broken: here it does not fit then, so that other constructs are tried. */
export function lenient({ construct, context, effects, ok, nok, onFailure }: ConstructRun): State {
  let isRunning = true;
  const leaving =
    (state: State): State =>
    (code) => {
      isRunning = false;
      return state(code);
    };
  const guarded =
    (state: State): State =>
    (code) => {
      try {
        const next = withoutStackTraces(() => state(code));
        return next === undefined || !isRunning ? next : guarded(next);
      } catch (error) {
        if (!isRunning || !(error instanceof VFileMessage)) throw error;
        onFailure(error);
        return leaving(nok)(code);
      }
    };
  return guarded(construct.tokenize.call(context, effects, leaving(ok), leaving(nok)));
}
