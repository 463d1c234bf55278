import { SignInError } from "../mcp-error.ts";
import type { SignIn } from "../sign-in/sign-in.ts";
import type { ClientLibrary } from "../transports/client-library.ts";
import { errorReason } from "./error-reason.ts";
import type { SessionQuestions } from "./session-questions.ts";

export interface SignInWait {
  readonly library: ClientLibrary;
  readonly signIn: SignIn | undefined;
  /** Its limits are paused while the user signs in. */
  readonly questions: SessionQuestions;
}

/** Sign-ins allowed per request: the first, and one for more scopes. */
const MAX_SIGN_INS = 2;

/** Runs `work`; if the server requires a sign-in, runs it again afterwards. Rejects as `work` does, or with `SignInError`. */
export async function afterSignIns<Result>(wait: SignInWait, work: () => Promise<Result>): Promise<Result> {
  const { library, signIn, questions } = wait;
  for (let signIns = 0; ; signIns += 1) {
    try {
      return await work();
    } catch (error) {
      const finished = error instanceof library.UnauthorizedError ? signIn?.finished() : undefined;
      if (!finished || signIns === MAX_SIGN_INS) throw error;
      await questions
        .pausing(() => finished)
        .catch((reason) => {
          throw new SignInError(`the sign-in failed: ${errorReason(reason)}`, { cause: reason });
        });
    }
  }
}
