import { type Argument, type Expression, parseSync, Visitor } from "oxc-parser";

/**
 * The titles of the tests in a test file, read from its source. What is filled in when it runs (`${…}` of a template,
 * `$name` and `%s` of a table) stands as `*`.
 */
export function testTitles(source: string): readonly string[] {
  const titles: string[] = [];
  new Visitor({
    CallExpression: ({ callee, arguments: [first] }) => {
      const title = isTest(callee) ? textOf(first) : undefined;
      if (title !== undefined) titles.push(withHoles(title));
    },
  }).visit(parseSync("a.test.ts", source).program);
  return titles;
}

/**
 * Whether a title, as a report shows it or as its source writes it, is one of `titles`. One that is all hole stands for
 * itself alone, or it would stand for anything.
 */
export function hasTitle(titles: readonly string[], wanted: string): boolean {
  return titles.some((title) => {
    if (withHoles(wanted) === title) return true;
    const pattern = title.split("*").map(RegExp.escape).join(".*");
    return /\p{L}{2}/u.test(title) && new RegExp(`^${pattern}$`, "su").test(wanted);
  });
}

/** `test(…)` and `it(…)`, but also `test.skipIf(…)(…)` and `test.each(…)(…)`. */
function isTest(callee: Expression): boolean {
  switch (callee.type) {
    case "Identifier":
      return callee.name === "test" || callee.name === "it";
    case "MemberExpression":
      return callee.object.type !== "Super" && isTest(callee.object);
    case "CallExpression":
      return isTest(callee.callee);
    default:
      return false;
  }
}

function textOf(expression: Argument | undefined): string | undefined {
  if (expression?.type === "Literal" && typeof expression.value === "string") return expression.value;
  if (expression?.type !== "TemplateLiteral") return undefined;
  return expression.quasis.map(({ value }) => value.cooked ?? "").join("*");
}

const withHoles = (title: string): string => title.replace(/\$\{[^}]*\}|\$[a-z][\w.]*|%[sdifjop#]/gi, "*");
