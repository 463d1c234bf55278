import { quoted } from "../../report.ts";
import { codeFences } from "../code-fences.ts";
import type { SyntaxProblem } from "./syntax-message.ts";
import { closingLine, closingTag, lineEnd, unclosedFence } from "./unclosed-fence.ts";

/** An `<Example>` that nothing closes: its code fence is not closed and swallows `</Example>`, or the tag is missing. */
export function unclosedExampleProblem(start: number, end: number, text: string): SyntaxProblem {
  const tag = /^[ \t]*<\/?(?:Tool|Example|Param)\b/gm;
  const fences = codeFences(text).filter((fence) => fence.start >= end);
  const [own] = fences;
  if (own !== undefined && closingTag("Example").test(text.slice(own.start, own.end))) {
    return unclosedFence(own, "Example", text);
  }
  tag.lastIndex = lineEnd(text, end - 1);
  const nextTag = tag.exec(text)?.index ?? text.length;
  const place = own !== undefined && own.start < nextTag ? own.end : Math.min(nextTag, lineEnd(text, end));
  const fix = { start: place, end: place, text: closingLine("Example", place, text) };
  return {
    problem: {
      rule: "mdx-closing-tag",
      offset: start,
      message: `${quoted(text.slice(start, end))} is not closed, expected \`</Example>\``,
      hint: "write `</Example>` on a line of its own after the JSON block",
      fix,
    },
    repair: fix,
  };
}
