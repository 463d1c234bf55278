import { mdxJsx } from "micromark-extension-mdx-jsx";
import { factorySpace } from "micromark-factory-space";
import { asciiAlpha, asciiAlphanumeric } from "micromark-util-character";
import type { Code, Construct, Effects, Extension, State, TokenizeContext } from "micromark-util-types";
import type { VFileMessage } from "vfile-message";
import { ELEMENTS } from "../element-names.ts";
import { lenient } from "../markdown/lenient-construct.ts";

const MAX_NAME = Math.max(...ELEMENTS.map(({ length }) => length));
const LESS_THAN = 60;
const SLASH = 47;
const DOLLAR = 36;
/** A tab, the columns that it stands for, and a blank. */
const INDENTS = [-2, -1, 32] as const;
/** What may follow a name of JSX within it, besides letters and digits. */
const NAME_SIGNS = "_.:-$";

/** A tag of an element that breaks the syntax of JSX. */
export interface BrokenTag {
  /** Of its `<`. */
  readonly offset: number;
  readonly message: VFileMessage;
}

/** What one parse knows of its tags. */
interface TagState {
  readonly onBroken: (tag: BrokenTag) => void;
  /** Elements that are open after the lines so far. */
  open: number;
}

/**
 * The syntax of elements in Markdown, for one parse: the constructs of MDX read their tags, every other tag stays HTML. Within an element
 * and before a tag, indentation has no meaning. A broken tag is text; `onBroken` may receive it more than once.
 */
export function elementSyntax(onBroken: (tag: BrokenTag) => void): Extension {
  const { flow, text } = mdxJsx();
  const state: TagState = { onBroken, open: 0 };
  const lines = constructsAt(flow, LESS_THAN).map((construct) => elementTag(construct, state));
  return {
    flow: { [LESS_THAN]: lines },
    flowInitial: Object.fromEntries(INDENTS.map((code) => [code, lines.map(afterIndent)])),
    text: { [LESS_THAN]: constructsAt(text, LESS_THAN).map((construct) => elementTag(construct, state)) },
  };
}

const constructsAt = (map: Extension["flow"], code: number): Construct[] => [map?.[code] ?? []].flat();

/** A line of tags that is indented as code is. */
const afterIndent = (construct: Construct): Construct => ({
  ...construct,
  tokenize(effects, ok, nok) {
    return factorySpace(effects, construct.tokenize.call(this, effects, ok, nok), "linePrefix");
  },
});

/** Restricts a construct of JSX to elements. */
function elementTag(construct: Construct, state: TagState): Construct {
  return {
    ...construct,
    tokenize(effects, ok, nok) {
      const watch = { offset: this.now().offset, opened: 0 };
      const accept: State = (code) => {
        // A paragraph only asks whether the line would end it.
        if (this.interrupt !== true) setOpen(this, state, state.open + watch.opened);
        return ok(code);
      };
      const tag = lenient({
        construct,
        context: this,
        effects: watched(effects, this, watch),
        ok: accept,
        nok,
        onFailure: (message) => state.onBroken({ offset: watch.offset, message }),
      });
      return effects.check(elementStart, tag, nok);
    },
  };
}

/** Matches `<Tool`, `</Tool` and so on, and nothing else: `Array<Tool>` is a type with an argument. */
const elementStart: Construct = {
  partial: true,
  tokenize(effects, ok, nok) {
    const isArgument = asciiAlphanumeric(this.previous) || this.previous === DOLLAR;
    let name = "";
    return start;

    function start(code: Code): State {
      effects.enter("data");
      effects.consume(code);
      return afterLessThan;
    }

    function afterLessThan(code: Code): State | undefined {
      if (code !== SLASH) return isArgument ? nok(code) : inName(code);
      effects.consume(code);
      return inName;
    }

    function inName(code: Code): State | undefined {
      const character = code === null || code < 0 ? "" : String.fromCharCode(code);
      if (asciiAlpha(code) && name.length < MAX_NAME) {
        name += character;
        effects.consume(code);
        return inName;
      }
      const isLonger = asciiAlphanumeric(code) || (character !== "" && NAME_SIGNS.includes(character));
      if (isLonger || !ELEMENTS.includes(name)) return nok(code);
      effects.exit("data");
      return ok(code);
    }
  },
};

/** Keeps where the last tag of a line begins, and how many elements the line leaves open. */
function watched(effects: Effects, context: TokenizeContext, watch: { offset: number; opened: number }): Effects {
  return {
    ...effects,
    enter(type, fields) {
      if (type === "mdxJsxFlowTag") {
        watch.offset = context.now().offset;
        watch.opened += 1;
      }
      if (type === "mdxJsxFlowTagClosingMarker") watch.opened -= 2;
      if (type === "mdxJsxFlowTagSelfClosingMarker") watch.opened -= 1;
      return effects.enter(type, fields);
    },
  };
}

/** Code by indentation exists outside of elements alone. */
function setOpen({ parser }: TokenizeContext, state: TagState, open: number): void {
  state.open = Math.max(0, open);
  const { disable } = parser.constructs;
  const others = (disable.null ?? []).filter((name) => name !== "codeIndented");
  disable.null = state.open > 0 ? [...others, "codeIndented"] : others;
}
