import { PdctlError } from "../contract/errors.ts";
import { nearest } from "../lib/nearest.ts";

/** Says which words name no command, and what was probably meant. `known` are names such as "inspect req". */
export function unknownCommand(argv: readonly string[], known: readonly string[]): PdctlError {
  const words = wordsOf(argv);
  const whole = knownCommand(argv, known);
  if (whole !== undefined) {
    const more = words.slice(whole.split(" ").length).join(" ");
    return new PdctlError("usage", `pdctl ${whole} takes no argument; found "${more}".`, `pdctl ${whole} --help`);
  }
  // Two words before one: arguments follow the name, and a topic's second word is the likelier slip.
  for (const length of [2, 1]) {
    const name = words.slice(0, length).join(" ");
    const alike = known.filter((one) => isAlike(words.slice(0, length), one.split(" ")));
    const near = nearest(name, alike);
    if (near !== undefined) {
      return new PdctlError(
        "usage",
        `Unknown command "${name}": the nearest command is "${near}".`,
        `pdctl ${near} --help`,
      );
    }
  }
  const isTopic = known.some((name) => name.startsWith(`${words[0]} `));
  const name = words.slice(0, isTopic ? 2 : 1).join(" ");
  return new PdctlError("usage", `Unknown command "${name}".`, "pdctl --help lists the commands");
}

/** The command that the words begin with, where they go on after it. */
export function knownCommand(argv: readonly string[], known: readonly string[]): string | undefined {
  const words = wordsOf(argv).join(" ");
  return known.find((name) => words.startsWith(`${name} `));
}

function wordsOf(argv: readonly string[]): readonly string[] {
  const flag = argv.findIndex((word) => word.startsWith("-"));
  return flag > 0 ? argv.slice(0, flag) : argv;
}

function isAlike(words: readonly string[], name: readonly string[]): boolean {
  return words.length === name.length && words.every((word, index) => nearest(word, name.slice(index, index + 1)));
}
