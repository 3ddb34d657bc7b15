import { createHash, timingSafeEqual } from "node:crypto";

/** Whether what a caller sent is the secret. */
export type SecretCheck = (sent: string | readonly string[] | undefined) => boolean;

/** Without a secret nobody is let in. Hashes are compared, so the time tells neither content nor length. */
export function secretCheck(secret: string | undefined): SecretCheck {
  if (secret === undefined || secret === "") return () => false;
  const wanted = hashOf(secret);
  return (sent) => typeof sent === "string" && timingSafeEqual(hashOf(sent), wanted);
}

function hashOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
