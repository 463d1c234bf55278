import { closest } from "@mdx-ai/base";

interface Point {
  readonly line: number;
  readonly column: number;
  readonly offset: number;
}

interface Range {
  readonly start: Point;
  readonly end: Point;
}

/** What the parser found in a text, as far as tags need it. */
type Event = readonly [
  when: "enter" | "exit",
  token: Range & { readonly type: string },
  context: { sliceSerialize(range: Range): string },
];

interface Tag extends Range {
  readonly name: string;
  readonly kind: "opening" | "closing" | "empty";
}

/** A tag that the parser will refuse, with the error that it throws. */
interface UnbalancedTag {
  readonly offset: number;
  /** The offsets of the opening tag that the error names: to find them in a long text takes long. */
  readonly opening?: { readonly start: number; readonly end: number };
  readonly error: { readonly reason: string; readonly source: string; readonly place: Point };
}

/**
 * The tags of a paragraph that nothing in it closes or opens, up to the first one that is most likely misspelled. The parser
 * throws at the first one of a document.
 */
export function unbalancedTags(events: readonly Event[]): readonly UnbalancedTag[] {
  const open: Tag[] = [];
  const found: UnbalancedTag[] = [];
  for (const tag of tagsOf(events)) {
    const last = open.at(-1);
    if (tag.kind === "opening") open.push(tag);
    if (tag.kind !== "closing") continue;
    if (last !== undefined && last.name !== tag.name && closest(tag.name, [last.name]) !== undefined)
      return [...found, mismatched(tag, last)];
    const opening = open.findLastIndex(({ name }) => name === tag.name);
    if (opening === -1) found.push(stray(tag));
    else found.push(...open.splice(opening).slice(1).map(unclosed));
  }
  return [...found, ...open.map(unclosed)];
}

const stray = (tag: Tag): UnbalancedTag =>
  refused(tag, "Unexpected closing slash `/` in tag, expected an open tag first");

const unclosed = (tag: Tag): UnbalancedTag =>
  refused(tag, `Expected a closing tag for \`<${tag.name}>\` (${placeOf(tag)})`, tag);

const mismatched = (tag: Tag, opening: Tag): UnbalancedTag =>
  refused(
    tag,
    `Unexpected closing tag \`</${tag.name}>\`, expected corresponding closing tag for \`<${opening.name}>\` (${placeOf(opening)})`,
    opening,
  );

/** The problem of a tag is made of the words of the parser, whose error has no other data. */
const refused = ({ start }: Tag, reason: string, opening?: Tag): UnbalancedTag => ({
  offset: start.offset,
  ...(opening !== undefined && { opening: { start: opening.start.offset, end: opening.end.offset } }),
  error: { reason, source: "mdast-util-mdx-jsx", place: start },
});

const placeOf = ({ start, end }: Tag): string => `${start.line}:${start.column}-${end.line}:${end.column}`;

function tagsOf(events: readonly Event[]): readonly Tag[] {
  const tags: Tag[] = [];
  let name = "";
  let kind: Tag["kind"] = "opening";
  for (const [when, token, context] of events) {
    if (when === "enter" && token.type === "mdxJsxTextTag") [name, kind] = ["", "opening"];
    else if (when === "enter") continue;
    else if (token.type === "mdxJsxTextTagName") name = context.sliceSerialize(token).replace(/\s/g, "");
    else if (token.type === "mdxJsxTextTagClosingMarker") kind = "closing";
    else if (token.type === "mdxJsxTextTagSelfClosingMarker") kind = "empty";
    else if (token.type === "mdxJsxTextTag") tags.push({ name, kind, start: token.start, end: token.end });
  }
  return tags;
}
