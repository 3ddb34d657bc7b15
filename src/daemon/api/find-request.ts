import { PdctlError } from "../../contract/errors.ts";
import type { RequestDetail } from "../../contract/request-view.ts";
import type { Gathered } from "./parts.ts";

// More would scroll the sentence away.
const listedMax = 10;

/** The one request that an id, a room or a unique beginning of an id, its own or the client's, means. */
export function findRequest({ details, unanswered }: Gathered, wanted: string, keptWords: string): RequestDetail {
  const exact = details.filter(({ request, router }) =>
    [request.id, request.room, request.clientId, ...(router?.earlier ?? [])].includes(wanted),
  );
  const begins = ({ request: { id, clientId } }: RequestDetail): boolean =>
    id.startsWith(wanted) || clientId?.startsWith(wanted) === true;
  const found = exact.length > 0 ? exact : details.filter(begins);
  const [first, ...more] = found;
  if (first === undefined) {
    const silent = unanswered.length === 0 ? "" : ` ${unanswered.join(" and ")} did not answer and may know of it.`;
    throw new PdctlError(
      "request-unknown",
      `No request is known as "${wanted}": ${keptWords}.${silent}`,
      "pdctl reqs --all lists those",
    );
  }
  if (more.length === 0) return first;
  const ids = found.slice(0, listedMax).map(({ request }) => `\n  ${request.id}  ${request.stage}`);
  const rest = found.length > listedMax ? `\n  and ${found.length - listedMax} more` : "";
  throw new PdctlError(
    "request-ambiguous",
    `"${wanted}" means ${found.length} requests:${ids.join("")}${rest}`,
    "give more of the id",
  );
}
