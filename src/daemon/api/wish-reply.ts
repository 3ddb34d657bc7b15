import { PdctlError } from "../../contract/errors.ts";
import type { Wish, WishAnswer } from "../../contract/wishes.ts";
import type { ApiParts } from "./parts.ts";

/** Leaves a wish with the loop, and says which action carries it out. Throws where it is refused. */
export async function carriedOut(leave: ApiParts["wish"], wish: Wish): Promise<WishAnswer> {
  const wished = await leave(wish);
  switch (wished.kind) {
    case "accepted":
      return { action: wished.action };
    case "refused":
      throw new PdctlError("action-refused", wished.words, wished.tryThis);
  }
}
