/** What a question to another process brought. Not to answer is never the same as to answer with nothing. */
export type Asked<T> =
  | { readonly kind: "answered"; readonly value: T }
  | { readonly kind: "unanswered"; readonly why: string };

/** Turns a question that throws into one that answers either way. */
export async function asked<T>(question: () => Promise<T>): Promise<Asked<T>> {
  try {
    return { kind: "answered", value: await question() };
  } catch (error) {
    return { kind: "unanswered", why: error instanceof Error ? error.message : String(error) };
  }
}
