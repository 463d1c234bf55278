import type { Data, Processor } from "unified";

declare module "mdast" {
  interface RootData {
    /** The offsets of all backslashes that escape a character. */
    escapes?: number[];
    /** The offsets of the braces around expressions in text, those in the texts of images too, which have no nodes. */
    braces?: number[];
  }
}

type MdastExtension = Exclude<NonNullable<Data["fromMarkdownExtensions"]>[number], readonly unknown[]>;
type Handle = NonNullable<MdastExtension["enter"]>[string];
type MicromarkExtension = NonNullable<Data["micromarkExtensions"]>[number];
type Constructs = NonNullable<MicromarkExtension["text"]>;
type Construct = Extract<Constructs[string], { readonly tokenize: unknown }>;
type Note = (offset: number) => void;

/** A plugin that keeps the offsets of escapes and braces in the data of the root. */
export function noteMarkers(this: Processor): void {
  const data = this.data();
  const enter = { escapeMarker: noting("escapes"), mdxTextExpressionMarker: noting("braces") };
  data.fromMarkdownExtensions = [...(data.fromMarkdownExtensions ?? []), { enter }];
}

function noting(kind: "escapes" | "braces"): Handle {
  return function (token) {
    const [root] = this.stack;
    if (root?.type !== "root") return;
    const { data = {} } = root;
    const offsets = data[kind] ?? [];
    offsets.push(token.start.offset);
    root.data = data;
    data[kind] = offsets;
  };
}

/**
 * A plugin that calls `note` wherever `{` or `<` is read as the start of an expression or a tag: after a syntax error within
 * one, the last call was for its start, which the error does not name. It must be used after the plugin of MDX.
 */
export function noteOpenings(this: Processor, note: Note): void {
  const data = this.data();
  data.micromarkExtensions = (data.micromarkExtensions ?? []).map((extension) => {
    const { text, flow } = extension;
    return {
      ...extension,
      ...(text === undefined ? {} : { text: notingConstructs(text, note) }),
      ...(flow === undefined ? {} : { flow: notingConstructs(flow, note) }),
    };
  });
}

function notingConstructs(constructs: Constructs, note: Note): Constructs {
  const wrapped = ["{", "<"].flatMap((character): [string, Construct[]][] => {
    const code = String(character.charCodeAt(0));
    const own = constructs[code];
    return own === undefined ? [] : [[code, [own].flat().map((construct) => notingConstruct(construct, note))]];
  });
  return { ...constructs, ...Object.fromEntries(wrapped) };
}

function notingConstruct(construct: Construct, note: Note): Construct {
  return {
    ...construct,
    tokenize(effects, ok, nok) {
      const start = construct.tokenize.call(this, effects, ok, nok);
      return (code) => {
        note(this.now().offset);
        return start(code);
      };
    },
  };
}
