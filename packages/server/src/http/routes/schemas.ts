import type { JsonObject } from "@mdx-ai/base";
import { mapOf, type Schema, textOf, truthOf, whole } from "@mdx-ai/base/schema";
import type { ImageContent } from "@mdx-ai/models";
import { BASE64, IMAGE_TYPE } from "../../images/given-image.ts";

const image: Schema = {
  ...mapOf("an image", "An image that follows the text.", {
    data: { title: "an image in Base64", type: "string", pattern: BASE64 },
    mimeType: { title: "the type of an image", type: "string", pattern: IMAGE_TYPE },
  }),
  required: ["data", "mimeType"],
  isWhole: true,
};

const images: Schema = { title: "a list of at most 20 images", type: "array", items: image, maxItems: 20 };

const text = textOf("a text", "What the user says.");

/** The body of a prompt or of steering. */
export interface InputBody {
  readonly text: string;
  readonly images?: readonly { readonly data: string; readonly mimeType: string }[];
}

export const INPUT: Schema<InputBody> = {
  ...mapOf("an input", "An input of the user.", { text, images }),
  required: ["text"],
};

/** The images of a body, as content of a message. */
export const imagesOf = ({ images: given }: InputBody): readonly ImageContent[] | undefined =>
  given?.map(({ data, mimeType }) => ({ type: "image", data, mimeType }));

export interface NewSessionBody {
  readonly id?: string;
  readonly title?: string;
}

const id = textOf("the id of a session", "Letters, digits, `.`, `_` and `-`. Default: the day and a number.");
const title: Schema = {
  title: "a title",
  description: "One line for people; empty: the first prompt.",
  type: "string",
};

export const NEW_SESSION: Schema<NewSessionBody> = mapOf("a session", "A new session, or changes of one.", {
  id,
  title,
});

export interface AnswerBody {
  readonly answer: string | readonly string[] | JsonObject;
  readonly reason?: string;
}

export const ANSWER: Schema<AnswerBody> = {
  ...mapOf("an answer", "An answer to a question.", {
    answer: {
      title: "the words of an answer",
      description: "`yes`, `no`, another offered word, `name=value` words, or an object with the values of a form.",
      type: ["string", "array", "object"],
      items: { title: "a word", type: "string" },
    },
    reason: textOf("a text", "With `no`: what the model receives as the reason."),
  }),
  required: ["answer"],
};

export interface CancelBody {
  readonly prompt?: string;
}

export const CANCEL: Schema<CancelBody> = mapOf("a cancellation", "Which prompt to cancel.", {
  prompt: textOf("the id of a prompt", "Default: the running one."),
});

export interface ForkBody {
  readonly id?: string;
  readonly prompt?: number;
}

export const FORK: Schema<ForkBody> = mapOf("a fork", "A session that continues from a prompt of this one.", {
  id,
  prompt: whole("The last prompt of the fork; 0 for none. Default: the last one that has ended.", 0),
});

export interface RewindBody {
  readonly prompt: number;
  readonly force?: boolean;
}

export const REWIND: Schema<RewindBody> = {
  ...mapOf("a rewind", "The prompts to take back.", {
    prompt: whole("The first prompt to take back, with all later ones and the files that they changed."),
    force: truthOf("Whether to restore files that have changed since."),
  }),
  required: ["prompt"],
};

export interface SkillBody {
  readonly enabled: boolean;
}

export const SKILL_CHOICE: Schema<SkillBody> = {
  ...mapOf("a choice", "Whether the session has a skill.", { enabled: truthOf("From the next prompt on, for good.") }),
  required: ["enabled"],
};

export const NOTHING: Schema<Readonly<Record<string, never>>> = mapOf("nothing", "An empty body.", {});
