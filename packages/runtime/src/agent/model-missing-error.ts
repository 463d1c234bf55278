import type { LanguageModel } from "@mdx-ai/models";
import type { Session } from "../session/session.ts";

/** An interrupted prompt that began with a model, in an agent that has only the offline model. It stays interrupted. */
export class ModelMissingError extends Error {
  override readonly name = "ModelMissingError";

  constructor(session: string, prompt: number, model: string) {
    super(
      `session ${session}: prompt ${prompt} was interrupted and began with ${model}, which is not configured; ` +
        "configure it or give a model with --model VENDOR/NAME to finish it (mdx-ai models shows what is configured), " +
        "or use another session",
    );
  }
}

/** Throws `ModelMissingError`: the offline model, which answers if none is configured, does not finish what a model began. */
export function checkModel({ id, interrupted }: Session, models: readonly LanguageModel[]): void {
  const [first] = interrupted?.models ?? [];
  if (!interrupted || first === undefined || interrupted.models.some((model) => model.startsWith("offline/"))) return;
  if (models.every(({ provider }) => provider === "offline"))
    throw new ModelMissingError(id, interrupted.prompt, first);
}
