/** What a verdict speaks of, and what an action acts on: the smallest thing that the evidence allows. */
export type Subject = "fleet" | "router" | `engine ${string}` | `edge ${string}:${string}` | `request ${string}`;

export type SubjectParts =
  | { readonly kind: "fleet" }
  | { readonly kind: "router" }
  | { readonly kind: "engine"; readonly name: string }
  | { readonly kind: "edge"; readonly prefill: string; readonly decode: string }
  | { readonly kind: "request"; readonly id: string };

/** Takes a subject apart; undefined where the text is none. */
export function subjectParts(text: string): SubjectParts | undefined {
  if (text === "fleet" || text === "router") return { kind: text };
  const [kind, rest] = [text.slice(0, text.indexOf(" ")), text.slice(text.indexOf(" ") + 1)];
  if (rest === "") return undefined;
  if (kind === "engine") return { kind, name: rest };
  if (kind === "request") return { kind, id: rest };
  const [prefill, decode, ...more] = rest.split(":");
  if (kind !== "edge" || !prefill || !decode || more.length > 0) return undefined;
  return { kind, prefill, decode };
}

export function isSubject(text: string): text is Subject {
  return subjectParts(text) !== undefined;
}
