import type { Data, Processor } from "unified";
import { syntaxMessageOf } from "./syntax/syntax-message.ts";
import { unbalancedTags } from "./syntax/unbalanced-tags.ts";

/** A syntax error as the parser threw it. */
export interface MdxFailure {
  readonly error: unknown;
  /** The construct that has it, from its first character; absent for tags that do not match over several blocks. */
  readonly within?: { readonly offset: number; readonly type: ConstructType };
}

type ConstructType = "text" | "flow";
type MicromarkExtension = NonNullable<Data["micromarkExtensions"]>[number];
type Constructs = NonNullable<MicromarkExtension["text"]>;
type Construct = Extract<Constructs[string], { readonly tokenize: unknown }>;
type State = ReturnType<Construct["tokenize"]>;
type Note = (failure: MdxFailure) => void;

/**
 * A plugin that lets the parser read as text what has an error of the syntax of MDX, after it has noted the error. It must be
 * used after the plugin of MDX.
 */
export function readFailedAsText(this: Processor, note: Note): void {
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
      const { offset } = this.now();
      let isOpen = true;
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
            note({ error, within: { offset, type } });
            isOpen = false;
            return nok(code);
          }
        };
      return guarded(construct.tokenize.call(this, effects, ending(ok), ending(nok)));
    },
    ...(construct.name === "mdxJsxTextTag" ? { resolveAll: notingUnbalanced(note) } : {}),
  };
}

/** Called with all of a paragraph, a heading or a cell in which there are tags. */
function notingUnbalanced(note: Note): NonNullable<Construct["resolveAll"]> {
  return (events) => {
    for (const { error, offset } of unbalancedTags(events)) note({ error, within: { offset, type: "text" } });
    return events;
  };
}
