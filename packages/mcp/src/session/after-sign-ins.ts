import { SignInError } from "../mcp-error.ts";
import type { SignIn } from "../sign-in/sign-in.ts";
import type { ClientLibrary } from "../transports/client-library.ts";
import { errorReason } from "./error-reason.ts";
import type { SessionQuestions } from "./session-questions.ts";

export interface SignInWait {
  readonly library: ClientLibrary;
  readonly signIn: SignIn | undefined;
  /** Its limits do not run while the user signs in. */
  readonly questions: SessionQuestions;
}

/** Sign-ins that one request may need: a first one, and one for more rights. */
const MAX_SIGN_INS = 2;

/** Does work, and does it again after the user has signed in if the server wants that. Rejects as the work does, or with `SignInError`. */
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
