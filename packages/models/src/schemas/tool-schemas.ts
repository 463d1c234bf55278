import type { JsonObject } from "@mdx-ai/base";
import type { ModelRequest, ToolSchema } from "../types/language-model.ts";
import type { AssistantContent, AssistantMessage, Message } from "../types/message.ts";
import type { AdaptedSchema, ArgumentNames } from "./adapt-schema.ts";
import type { SchemaFamily } from "./families.ts";
import { isPlainSchema } from "./plain-schema.ts";

/** Converts a call's arguments from the form that the model sent. */
export type RestoreArguments = (args: JsonObject) => JsonObject;

/** A request for a vendor. */
export interface AdaptedRequest {
  readonly request: ModelRequest;
  /** How to convert the arguments of a tool's calls; undefined if they need no conversion. */
  restore(tool: string): RestoreArguments | undefined;
}

/** A message of the history with the sent parameter names. */
interface SentAnswer {
  readonly names: readonly (ArgumentNames | undefined)[];
  readonly answer: AssistantMessage;
}

const asItIs = (): undefined => undefined;

/** Adapts the tools of one model's requests to its vendor. Each schema is rewritten once. */
export class ToolSchemas {
  readonly #family: SchemaFamily;
  /** By a tool's parameters. */
  readonly #known = new WeakMap<JsonObject, AdaptedSchema>();
  readonly #answers = new WeakMap<AssistantMessage, SentAnswer>();

  constructor(family: SchemaFamily) {
    this.#family = family;
  }

  /** Adapts a request. Synchronous, unless a schema must be rewritten for the first time. */
  adapted(request: ModelRequest): AdaptedRequest | Promise<AdaptedRequest> {
    const unknown = request.tools.filter(({ parameters }) => !this.#knows(parameters));
    return unknown.length === 0 ? this.#sent(request) : this.#rewritten(request, unknown);
  }

  #knows(parameters: JsonObject): boolean {
    if (this.#known.has(parameters)) return true;
    if (!isPlainSchema(parameters, this.#family)) return false;
    this.#known.set(parameters, { schema: parameters });
    return true;
  }

  async #rewritten(request: ModelRequest, unknown: readonly ToolSchema[]): Promise<AdaptedRequest> {
    const { adaptSchema } = await import("./adapt-schema.ts");
    for (const { parameters } of unknown) {
      this.#known.set(parameters, adaptSchema(parameters, this.#family));
    }
    return this.#sent(request);
  }

  #sent(request: ModelRequest): AdaptedRequest {
    const tools = request.tools.map((tool) => this.#tool(tool));
    const isSame = tools.every((tool, index) => tool === request.tools[index]);
    const named = new Map(
      request.tools.flatMap(({ name, parameters }): readonly (readonly [string, ArgumentNames])[] => {
        const names = this.#known.get(parameters)?.names;
        return names === undefined ? [] : [[name, names]];
      }),
    );
    if (named.size === 0) return { request: isSame ? request : { ...request, tools }, restore: asItIs };
    return {
      request: { ...request, tools, messages: request.messages.map((message) => this.#message(message, named)) },
      restore(tool) {
        return named.get(tool)?.restored;
      },
    };
  }

  #tool(tool: ToolSchema): ToolSchema {
    const { schema = tool.parameters } = this.#known.get(tool.parameters) ?? {};
    return schema === tool.parameters ? tool : { ...tool, parameters: schema };
  }

  /** A message with its calls as sent. Returns the same object for a message as long as its tools stay the same. */
  #message(message: Message, known: ReadonlyMap<string, ArgumentNames>): Message {
    if (message.role !== "assistant") return message;
    const names = message.content.map((block) => (block.type === "toolCall" ? known.get(block.name) : undefined));
    if (names.every((one) => one === undefined)) return message;
    const sent = this.#answers.get(message);
    if (sent?.names.every((one, index) => one === names[index])) return sent.answer;
    const answer = { ...message, content: message.content.map((block, index) => sentBlock(block, names[index])) };
    this.#answers.set(message, { names, answer });
    return answer;
  }
}

const sentBlock = (block: AssistantContent, names: ArgumentNames | undefined): AssistantContent =>
  block.type === "toolCall" && names !== undefined ? { ...block, arguments: names.sent(block.arguments) } : block;
