import type { Data, Processor } from "unified";
import { syntaxMessageOf } from "./syntax/syntax-message.ts";
import { unbalancedTags } from "./syntax/unbalanced-tags.ts";

/** A syntax error as the parser threw it. */
export interface MdxFailure {
  readonly error: unknown;
  /** The tag, expression or statement that has it, from its first character; absent for tags that do not match over several blocks. */
  readonly within?: {
    readonly offset: number;
    readonly type: ConstructType;
    /** The opening tag that the error is about, if it is one of tags that do not match. */
    readonly opening?: { readonly start: number; readonly end: number };
  };
}

type ConstructType = "text" | "flow";
type MicromarkExtension = NonNullable<Data["micromarkExtensions"]>[number];
type Constructs = NonNullable<MicromarkExtension["text"]>;
type Construct = Extract<Constructs[string], { readonly tokenize: unknown }>;
type State = ReturnType<Construct["tokenize"]>;
/** `read` is the number of characters after which what failed is read again. */
type Note = (failure: MdxFailure, read?: number) => void;

/** Of characters that are read twice: each of many braces that nothing closes is read up to the end of its paragraph. */
const MAX_READ_AGAIN = 500_000;

/** The text has too many errors to find all of them in one parse. */
class TooManyFailuresError extends Error {
  override readonly name = "TooManyFailuresError";
}

/**
 * A plugin that lets the parser read as text what has an error of the syntax of MDX, after it has noted the error. It must be
 * used after the plugin of MDX.
 */
export function readFailedAsText(this: Processor, onFailure: Note): void {
  const note = withinReason(onFailure);
  const data = this.data();
  data.micromarkExtensions = (data.micromarkExtensions ?? []).map((extension) => {
    const { text, flow } = extension;
    return {
      ...extension,
      ...(text === undefined ? {} : { text: lenientConstructs(text, "text", note) }),
      ...(flow === undefined ? {} : { flow: lenientConstructs(flow, "flow", note) }),
    };
  });
}

/** Ends the parse where the errors of a text would take too long. */
function withinReason(note: Note): Note {
  let sum = 0;
  return (failure, read = 0) => {
    note(failure);
    sum += read;
    if (sum > MAX_READ_AGAIN) throw new TooManyFailuresError("too many errors to find all at once");
  };
}

function lenientConstructs(constructs: Constructs, type: ConstructType, note: Note): Constructs {
  // What expressions and tags start with, and `import` and `export`.
  const wrapped = ["{", "<", "i", "e"].flatMap((character): [string, Construct[]][] => {
    const code = String(character.charCodeAt(0));
    const own = constructs[code];
    return own === undefined ? [] : [[code, [own].flat().map((construct) => lenient(construct, type, note))]];
  });
  return { ...constructs, ...Object.fromEntries(wrapped) };
}

function lenient(construct: Construct, type: ConstructType, note: Note): Construct {
  return {
    ...construct,
    tokenize(effects, ok, nok) {
      let { offset } = this.now();
      let isOpen = true;
      // A line may begin with several tags: the error is in the last one that was entered.
      const enter: typeof effects.enter = (token, fields) => {
        const type: string = token;
        if (type === "mdxJsxFlowTag") offset = this.now().offset;
        return effects.enter(token, fields);
      };
      const ending =
        (state: State): State =>
        (code) => {
          isOpen = false;
          return state(code);
        };
      const guarded =
        (state: State): State =>
        (code) => {
          try {
            const next = state(code);
            return next === undefined || !isOpen ? next : guarded(next);
          } catch (error) {
            if (!isOpen || syntaxMessageOf(error) === undefined) throw error;
            note({ error, within: { offset, type } }, this.now().offset - offset);
            isOpen = false;
            return nok(code);
          }
        };
      return guarded(construct.tokenize.call(this, { ...effects, enter }, ending(ok), ending(nok)));
    },
    ...(construct.name === "mdxJsxTextTag" ? { resolveAll: notingUnbalanced(note) } : {}),
  };
}

/** Called with all of a paragraph, a heading or a cell in which there are tags. */
function notingUnbalanced(note: Note): NonNullable<Construct["resolveAll"]> {
  return (events) => {
    for (const { error, ...at } of unbalancedTags(events)) note({ error, within: { ...at, type: "text" } });
    return events;
  };
}
