import { randomBytes } from "node:crypto";

/** A part of a rendered prompt: written by the template, or by whoever wrote the message. */
export type PromptPart = { readonly text: string; readonly from: "template" | "message" };

export type Message = { readonly role: string; readonly content: string };

export type Split =
  | { readonly kind: "parts"; readonly parts: readonly PromptPart[] }
  | { readonly kind: "altered"; readonly index: number };

/**
 * Renders a chat with a mark in the place of each content, then puts the contents where the marks are: so it is
 * known which text came from whom, and no content becomes a control token. Blanks around a mark show whether the
 * template trims. A content whose mark is not found was left out by the template, if leaving it empty changes
 * nothing; otherwise the template rewrites contents and the parts cannot be told apart.
 */
export function splitByContents(messages: readonly Message[], render: (messages: readonly Message[]) => string): Split {
  const secret = randomBytes(12).toString("hex");
  const marked = messages.map((message, index) => markedMessage(message, mark(secret, index)));
  const text = render(marked);
  const missing = messages.findIndex((message, index) => message.content !== "" && !text.includes(mark(secret, index)));
  if (missing >= 0) {
    const without = marked.map((message, index) =>
      text.includes(mark(secret, index)) ? message : { ...message, content: "" },
    );
    if (render(without) !== text) return { kind: "altered", index: missing };
  }
  return { kind: "parts", parts: putContents(text, messages, secret) };
}

const blanks = "\n \n";

// Letters and digits only: they pass unchanged through every filter but those that change letters.
function mark(secret: string, index: number): string {
  return `pd${secret}n${index}e`;
}

function markedMessage(message: Message, name: string): Message {
  return message.content === "" ? message : { ...message, content: `${blanks}${name}${blanks}` };
}

function putContents(text: string, messages: readonly Message[], secret: string): readonly PromptPart[] {
  const pieces = text.split(new RegExp(`pd${secret}n(\\d+)e`));
  const parts: PromptPart[] = [];
  for (let at = 0; at < pieces.length; at += 2) {
    const before = pieces[at - 1];
    const after = pieces[at + 1];
    let own = pieces[at] ?? "";
    if (before !== undefined) own = own.slice(keptAtStart(own));
    if (after !== undefined) own = own.slice(0, own.length - keptAtEnd(own));
    add(parts, { text: own, from: "template" });
    if (after !== undefined) {
      const trimsStart = keptAtEnd(pieces[at] ?? "") < blanks.length;
      const trimsEnd = keptAtStart(pieces[at + 2] ?? "") < blanks.length;
      add(parts, { text: trimmed(messages[Number(after)]?.content ?? "", { trimsStart, trimsEnd }), from: "message" });
    }
  }
  return parts;
}

/** How many of the blanks around a mark the template left: all, what trimming of newlines leaves, or none. */
function keptAtStart(text: string): number {
  return [blanks, blanks.slice(0, -1)].find((kept) => text.startsWith(kept))?.length ?? 0;
}

function keptAtEnd(text: string): number {
  return [blanks, blanks.slice(1)].find((kept) => text.endsWith(kept))?.length ?? 0;
}

function trimmed(content: string, { trimsStart, trimsEnd }: { trimsStart: boolean; trimsEnd: boolean }): string {
  const from = trimsStart ? content.trimStart() : content;
  return trimsEnd ? from.trimEnd() : from;
}

function add(parts: PromptPart[], part: PromptPart): void {
  if (part.text !== "") parts.push(part);
}
