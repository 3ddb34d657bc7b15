import { z } from "zod";

const pattern = /^[a-z0-9][a-z0-9-]{0,31}$/;

/** What a name of a fleet or an engine is made of. Files and folders are called by it. */
export const nameRule = "1 to 32 small letters, digits and hyphens";

export function isName(text: string): boolean {
  return pattern.test(text);
}

export const nameSchema = z.string({ error: "must be a name" }).regex(pattern, `must be ${nameRule}`);
