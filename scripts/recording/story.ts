/** What is typed into the terminal, what must be shown before the story continues, and pauses for the reader in milliseconds. */
export type Step =
  | { readonly do: "type" | "wait"; readonly text: string }
  | { readonly do: "pause"; readonly milliseconds: number };

const type = (text: string): Step => ({ do: "type", text });
const wait = (text: string): Step => ({ do: "wait", text });
const pause = (milliseconds: number): Step => ({ do: "pause", milliseconds });

export const STORY: readonly Step[] = [
  ...[wait("$"), type("head -11 books/agent.mdx    # read it\n"), wait("const execute"), pause(1500)],
  ...[type("mdx-ai test books           # test it, without a model\n"), wait("1 passed"), pause(800)],
  ...[type("mdx-ai books                # talk with it\n"), wait("session main"), pause(300)],
  ...[type("Emma has 474 pages. When am I done?\n"), wait("12 days"), pause(1200)],
  ...[type("/quit\n"), wait("Continue with"), pause(200)],
  ...[
    type("timeout -s KILL 2 mdx-ai books -p 'Order Emma' --allow order_book   # crash it\n"),
    wait("Killed"),
    pause(500),
  ],
  ...[type("mdx-ai books -s main --resume               # lose nothing\n"), wait("check your orders"), pause(2500)],
];
