import { A2AError, RequestMalformedError, VersionNotSupportedError } from "@a2a-js/sdk/errors";
import { JsonRpcTransportHandler, ServerCallContext } from "@a2a-js/sdk/server";
import { errorMessage, type JsonObject } from "@mdx-ai/base";
import { problemOf } from "../problem.ts";
import { AgentTasks, type AgentTasksParts } from "./agent-tasks.ts";

/** The version of the protocol that requests have to name. */
const VERSION = "1.0";

export interface JsonRpcParts extends Omit<AgentTasksParts, "errorOf"> {
  /** The version that the client asks for. */
  readonly version: string | undefined;
  readonly onWarning: (message: string) => void;
}

/** One response, or the responses of a stream. */
export type JsonRpcAnswer =
  | { readonly type: "response"; readonly response: object }
  | { readonly type: "stream"; readonly responses: AsyncIterable<object> };

/** Answers a request. Never rejects; the stream neither. */
export async function answerJsonRpc(
  body: JsonObject,
  { version, onWarning, ...parts }: JsonRpcParts,
): Promise<JsonRpcAnswer> {
  const errorOf = (failure: unknown): Error => protocolError(failure, onWarning);
  const failed = (failure: unknown): object => ({
    ...{ jsonrpc: "2.0", id: body["id"] ?? null },
    error: JsonRpcTransportHandler.mapToJSONRPCError(errorOf(failure)),
  });
  if (version !== VERSION) {
    const failure = new VersionNotSupportedError(`the header A2A-Version needs ${VERSION}, the only version here`);
    return { type: "response", response: failed(failure) };
  }
  const transport = new JsonRpcTransportHandler(new AgentTasks({ ...parts, errorOf }));
  const answer = await transport.handle({ ...body }, new ServerCallContext({ requestedVersion: version }));
  return Symbol.asyncIterator in answer
    ? { type: "stream", responses: stream(answer, failed) }
    : { type: "response", response: answer };
}

/** A failure becomes the last response. */
async function* stream(
  responses: AsyncIterable<object>,
  failed: (failure: unknown) => object,
): AsyncGenerator<object, void, undefined> {
  try {
    yield* responses;
  } catch (error) {
    yield failed(error);
  }
}

/** A mistake of the client is told to it; a bug is reported to the person who runs the server alone. */
function protocolError(failure: unknown, onWarning: (message: string) => void): Error {
  if (failure instanceof A2AError) return failure;
  const problem = problemOf(failure);
  if (problem !== undefined) return new RequestMalformedError(problem.detail);
  onWarning(
    `a request failed: ${failure instanceof Error ? (failure.stack ?? failure.message) : errorMessage(failure)}`,
  );
  return new A2AError("the request failed; the server's log says why");
}
