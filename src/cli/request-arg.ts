import { Args } from "@oclif/core";
import { PdctlError } from "../contract/errors.ts";

/** Which request is meant. Every id begins with the empty one, so that it would mean all. */
export const requestArg = Args.custom<string>({
  description: "Its id, its bootstrap room, or a unique beginning of its id or of the client's own.",
  parse: async (text) => {
    if (text.trim() !== "") return text;
    throw new PdctlError("usage", "The id of the request is empty.", "pdctl reqs --all lists the requests");
  },
});
