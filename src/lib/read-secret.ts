import { readFileSync } from "node:fs";

export type FoundSecret =
  | { readonly kind: "secret"; readonly secret: string }
  | { readonly kind: "wrong"; readonly words: string };

/** The fleet's secret, as its file has it, without the line end. */
export function readSecret(path: string): FoundSecret {
  const text = read(path);
  if (text.kind === "wrong") return text;
  const secret = secretIn(text.secret);
  if (secret !== undefined) return { kind: "secret", secret };
  return { kind: "wrong", words: `${path} must hold one line of 16 to 256 visible ASCII characters.` };
}

/** The secret in the text of its file; undefined where that is none. */
export function secretIn(text: string): string | undefined {
  const secret = text.trim();
  return /^[\x21-\x7e]{16,256}$/.test(secret) ? secret : undefined;
}

function read(path: string): FoundSecret {
  try {
    return { kind: "secret", secret: readFileSync(path, "utf8") };
  } catch (error) {
    return {
      kind: "wrong",
      words: `The file of the secret cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}
