import { RequestError } from "@agentclientprotocol/sdk";
import { errorMessage } from "@mdx-ai/base";
import { DirectoryError } from "@mdx-ai/directory";
import { plainLine } from "@mdx-ai/directory/text";
import { ConfigurationError, MissingKeyError, NoModelError } from "@mdx-ai/models";
import { SessionIdError, UnknownSessionError } from "@mdx-ai/sessions";

const AUTH_REQUIRED = -32000;
const INTERNAL = -32603;
const INVALID_PARAMS = -32602;

/** The user has to do something outside of the editor first, such as to set a key. */
export const authRequired = (message: string): RequestError => new RequestError(AUTH_REQUIRED, plainLine(message));

export const invalidParams = (message: string): RequestError => new RequestError(INVALID_PARAMS, plainLine(message));

/** The request failed; the message says why. */
export const failed = (message: string): RequestError => new RequestError(INTERNAL, plainLine(message));

/** An error as the protocol knows it: a missing key or trust asks the client to authenticate. `session` is the request's. */
export function requestError(error: unknown, session?: string): RequestError {
  if (error instanceof RequestError) return error;
  const message = errorMessage(error);
  if (error instanceof MissingKeyError || error instanceof NoModelError) return authRequired(message);
  if (error instanceof DirectoryError && error.problem === "untrusted") return authRequired(message);
  if (error instanceof ConfigurationError && isAboutKey(error)) return authRequired(message);
  const isUnknown = error instanceof UnknownSessionError || error instanceof SessionIdError;
  if (isUnknown && session !== undefined) return RequestError.sessionNotFound(session);
  return failed(message);
}

/** Whether a configured model lacks only its key. */
const isAboutKey = ({ cause }: ConfigurationError): boolean => cause instanceof MissingKeyError;
