import { expect, test } from "bun:test";
import { runQueueCommand } from "./slash-command-context.ts";

/** What `/queue` answers, and what waits then. */
function queued(words: string, waiting: readonly string[]): readonly [answer: string, queue: readonly string[]] {
  const queue = [...waiting];
  const dialogue = {
    queue,
    enqueue: (text: string) => void queue.push(text),
    drop: (number: number) => queue.splice(number - 1, 1)[0],
  };
  const answer = runQueueCommand(words, dialogue, [{ name: "greet", description: "Greets", path: "" }]);
  return [answer, queue];
}

test.each([
  ["then tidy up\nall of it", [], "", ["then tidy up\nall of it"]],
  ["drop the tables", ["a"], "", ["a", "drop the tables"]],
  ["dropped 1", ["a"], "", ["a", "dropped 1"]],
  ["", ["one\nand \u001b[2Jmore", "two"], "1  one and more\n2  two", ["one\nand \u001b[2Jmore", "two"]],
  ["drop 2", ["a", "b", "c"], "Removed from the queue: b", ["a", "c"]],
  ["/skill:greet Ann", [], "", ["/skill:greet Ann"]],
  ["/usr/bin is full", [], "", ["/usr/bin is full"]],
  ["/clear now", ["a"], "/clear is not a prompt and cannot be queued.", ["a"]],
  ["/skill:grete Ann", ["a"], "/skill:grete is not a prompt and cannot be queued.", ["a"]],
  ["drop\t1", ["a"], "Removed from the queue: a", []],
])("/queue %j with %j waiting answers %j", (words, waiting, answer, left) => {
  expect(queued(words, waiting)).toStrictEqual([answer, left]);
});

test.each(["drop", "drop 0", "drop 9", "drop x", "drop -1", "drop 1.5"])("/queue %s takes nothing back", (words) => {
  const [answer, left] = queued(words, words === "drop 0" ? [] : ["a"]);
  expect(answer).toStartWith("/queue drop N removes the prompt with that number; ");
  expect(left).toHaveLength(words === "drop 0" ? 0 : 1);
});

test("/queue says what it is for where nothing waits", () => {
  expect(queued("", [])[0]).toStartWith("The queue is empty; /queue TEXT");
});
