import type {
  AgentContext,
  ClientCapabilities,
  CreateElicitationRequest,
  CreateElicitationResponse,
  RequestPermissionRequest,
  RequestPermissionResponse,
  SessionUpdate,
} from "@agentclientprotocol/sdk";
import type { Redactor } from "@mdx-ai/base";

/** The connected client: what it can do, and how it is asked and told. */
export class Editor {
  readonly #redactor: Redactor;
  readonly #context: () => AgentContext | undefined;
  #capabilities: ClientCapabilities = {};

  /** `context` returns the connection once it is open. */
  constructor(redactor: Redactor, context: () => AgentContext | undefined) {
    this.#redactor = redactor;
    this.#context = context;
  }

  /** What the client has said that it can do; nothing before `initialize`. */
  get capabilities(): ClientCapabilities {
    return this.#capabilities;
  }

  initialized(capabilities: ClientCapabilities): void {
    this.#capabilities = capabilities;
  }

  /** The connection. Throws before it is open. */
  get connection(): AgentContext {
    const context = this.#context();
    if (context === undefined) throw new Error("the editor is not connected");
    return context;
  }

  /** Sends an update, redacted. Resolves when it is written, or the client has gone. Never rejects. */
  async update(sessionId: string, update: SessionUpdate): Promise<void> {
    await this.#context()
      ?.notify("session/update", { sessionId, update: this.#redactor.value(update) })
      .catch(() => {});
  }

  /** Asks the user about a call. `signal` withdraws the question. Rejects if the client cannot ask or has gone. */
  askPermission(request: RequestPermissionRequest, signal: AbortSignal): Promise<RequestPermissionResponse> {
    const options = { cancellationSignal: signal, stopWaitingOnCancel: true };
    return this.connection.request("session/request_permission", this.#redactor.value(request), options);
  }

  /** Asks the user for values, or to open an address, as `askPermission` does. */
  elicit(request: CreateElicitationRequest, signal: AbortSignal): Promise<CreateElicitationResponse> {
    const options = { cancellationSignal: signal, stopWaitingOnCancel: true };
    return this.connection.request("elicitation/create", request, options);
  }

  /** Says that what the user did at an address is done. Never rejects. */
  async completeElicitation(elicitationId: string): Promise<void> {
    await this.#context()
      ?.notify("elicitation/complete", { elicitationId })
      .catch(() => {});
  }
}
