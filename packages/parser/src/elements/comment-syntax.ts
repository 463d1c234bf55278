import { factorySpace } from "micromark-factory-space";
import { markdownLineEnding, markdownSpace } from "micromark-util-character";
import type { Code, Construct, Extension, State } from "micromark-util-types";

declare module "micromark-util-types" {
  interface TokenTypeMap {
    agentComment: "agentComment";
    agentCommentLine: "agentCommentLine";
  }
}

const BRACE = 123;
const SLASH = 47;
const STAR = 42;
const CLOSING_BRACE = 125;
const LESS_THAN = 60;
const OPENING = [BRACE, SLASH, STAR] as const;

/** The comments of MDX in Markdown: from the three characters `{/*` to the next `*` `/` `}`. One that nothing closes is text; `onUnclosed` may receive it more than once. */
export function commentSyntax(onUnclosed: (offset: number) => void): Extension {
  return { flow: { [BRACE]: comment("flow", () => {}) }, text: { [BRACE]: comment("text", onUnclosed) } };
}

function comment(kind: "flow" | "text", onUnclosed: (offset: number) => void): Construct {
  return {
    // The construct of tags looks for this name, so that a comment may follow a tag on its line.
    name: kind === "flow" ? "mdxFlowExpression" : "mdxTextExpression",
    concrete: kind === "flow",
    tokenize(effects, ok, nok) {
      const { offset } = this.now();
      const isLazy = (): boolean => kind === "flow" && this.parser.lazy[this.now().line] === true;
      const tags = this.parser.constructs.flow[LESS_THAN];
      let read = 0;
      return opening;

      function opening(code: Code): State | undefined {
        if (code !== OPENING[read]) return nok(code);
        if (read === 0) {
          effects.enter("agentComment");
          effects.enter("agentCommentLine");
        }
        effects.consume(code);
        read++;
        return read < OPENING.length ? opening : inside;
      }

      function inside(code: Code): State | undefined {
        if (code === null) return unclosed(code);
        if (markdownLineEnding(code)) return lineEnd(code);
        effects.consume(code);
        return code === STAR ? afterStar : inside;
      }

      /** Each line has a token of its own: the parser of what is within containers needs one. */
      function lineEnd(code: Code): State {
        effects.exit("agentCommentLine");
        return emptyLine(code);
      }

      function emptyLine(code: Code): State {
        effects.enter("lineEnding");
        effects.consume(code);
        effects.exit("lineEnding");
        return lineStart;
      }

      function lineStart(code: Code): State | undefined {
        if (code === null || isLazy()) return unclosed(code);
        if (markdownLineEnding(code)) return emptyLine(code);
        effects.enter("agentCommentLine");
        return inside(code);
      }

      function afterStar(code: Code): State | undefined {
        if (code === STAR) {
          effects.consume(code);
          return afterStar;
        }
        if (code !== SLASH) return inside(code);
        effects.consume(code);
        return afterSlash;
      }

      function afterSlash(code: Code): State | undefined {
        if (markdownSpace(code)) {
          effects.consume(code);
          return afterSlash;
        }
        if (code !== CLOSING_BRACE) return inside(code);
        effects.consume(code);
        effects.exit("agentCommentLine");
        effects.exit("agentComment");
        return kind === "text" ? ok : after;
      }

      /** Other comments and tags may follow on the line. */
      function after(code: Code): State | undefined {
        if (markdownSpace(code)) return factorySpace(effects, after, "whitespace")(code);
        if (code === null || markdownLineEnding(code)) return ok(code);
        if (code === BRACE) {
          read = 0;
          return opening(code);
        }
        return code === LESS_THAN ? effects.attempt([tags ?? []].flat(), ok, nok)(code) : nok(code);
      }

      function unclosed(code: Code): State | undefined {
        onUnclosed(offset);
        return nok(code);
      }
    },
  };
}
