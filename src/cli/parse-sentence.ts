import { stripVTControlCharacters } from "node:util";

// What oclif writes, and the same as one sentence.
const rewritings: readonly { readonly wording: RegExp; readonly sentence: (match: readonly string[]) => string }[] = [
  {
    wording: /^Parsing --(\S+) \n\t(.)([\s\S]*)$/,
    sentence: ([, flag = "", first = "", rest = ""]) => `--${flag}: ${first.toLowerCase()}${rest}`,
  },
  {
    wording: /^The following errors? occurred:\n([\s\S]*)$/,
    sentence: ([, reasons = ""]) => reasons.trim().split(/\n\s*/).join("; "),
  },
  {
    wording: /^Missing \d+ required args?:\n([\s\S]*)$/,
    sentence: ([, list = ""]) => `Missing ${argumentNames(list)}`,
  },
  { wording: /^Nonexistent (flags?): ([\s\S]*)$/, sentence: ([, what, names]) => `Unknown ${what} ${names}` },
  { wording: /^Unexpected (arguments?): ([\s\S]*)$/, sentence: ([, what, words]) => `Unexpected ${what} ${words}` },
];

/** What oclif could not make sense of, as one sentence. */
export function parseSentence(message: string): string {
  const text = stripVTControlCharacters(message)
    .replace(/\nSee more help with --help$/, "")
    .trim();
  const match = rewritings.map(({ wording, sentence }) => ({ found: wording.exec(text), sentence }));
  const first = match.find(({ found }) => found !== null);
  const words = (first?.found ? first.sentence(first.found) : text)
    .replace(/Missing required flag (?=[a-z])/g, "Missing required flag --")
    .replace(" but received: ", "; found ");
  return words.endsWith(".") ? words : `${words}.`;
}

// oclif lists each argument on a line, its name first.
function argumentNames(list: string): string {
  return list
    .trim()
    .split(/\n\s*/)
    .map((line) => line.split(/\s/)[0]?.toUpperCase())
    .join(" and ");
}
