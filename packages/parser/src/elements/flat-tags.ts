import type { CompileContext, Extension, Handle } from "mdast-util-from-markdown";
import { mdxJsxFromMarkdown } from "mdast-util-mdx-jsx";

/** What a tag does: it opens an element, closes one, or is a whole element. */
type TagKind = "opening" | "closing" | "empty";

declare module "mdast-util-mdx-jsx" {
  interface MdxJsxFlowElementData {
    tag?: TagKind;
  }
  interface MdxJsxTextElementData {
    tag?: TagKind;
  }
}

declare module "mdast-util-from-markdown" {
  interface CompileData {
    isClosingTag?: boolean;
  }
}

/** Makes a node of each tag and comment; the utility of MDX, which throws for the first tag that fits no other, nests them. */
export function flatTags(): Extension {
  const { enter, exit } = mdxJsxFromMarkdown();
  return {
    enter: {
      ...enter,
      mdxJsxFlowTagClosingMarker: enterClosingMarker,
      mdxJsxTextTagClosingMarker: enterClosingMarker,
      agentComment: enterComment,
    },
    exit: {
      ...exit,
      mdxJsxFlowTagClosingMarker: nothing,
      mdxJsxTextTagClosingMarker: nothing,
      mdxJsxFlowTag: exitTag("mdxJsxFlowElement"),
      mdxJsxTextTag: exitTag("mdxJsxTextElement"),
      agentComment: exitNode,
    },
  };
}

const nothing: Handle = () => undefined;

const enterClosingMarker: Handle = function () {
  this.data.isClosingTag = true;
};

const exitTag = (type: "mdxJsxFlowElement" | "mdxJsxTextElement"): Handle =>
  function (token) {
    this.resume();
    const { mdxJsxTag, isClosingTag = false } = this.data;
    this.data.isClosingTag = false;
    const kind: TagKind = isClosingTag ? "closing" : mdxJsxTag?.selfClosing === true ? "empty" : "opening";
    const { name = "", attributes = [] } = mdxJsxTag ?? {};
    this.enter({ type, name, attributes, children: [], data: { tag: kind } }, token);
    this.exit(token);
  };

const enterComment: Handle = function (token) {
  const type = isInText(this) ? "mdxTextExpression" : "mdxFlowExpression";
  this.enter({ type, value: this.sliceSerialize(token).slice(1, -1) }, token);
};

const exitNode: Handle = function (token) {
  this.exit(token);
};

/** Whether the node that is being made holds text, not blocks. */
const isInText = ({ stack }: CompileContext): boolean =>
  !["root", "blockquote", "listItem", "list"].includes(stack.at(-1)?.type ?? "root");
