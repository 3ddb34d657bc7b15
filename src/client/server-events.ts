/** One server-sent event. */
export type ServerEvent = { readonly name: string; readonly id: string | undefined; readonly data: string };

// A live view with a thousand requests stays below it.
const charactersMax = 16 * 1024 * 1024;

/** The events of a stream of bytes; those that came together are one batch, so that a late reader may skip some. */
export async function* serverEvents(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<readonly ServerEvent[]> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const part of bytes) {
    const blocks = (rest + decoder.decode(part, { stream: true }).replaceAll("\r", "")).split("\n\n");
    rest = blocks.pop() ?? "";
    if (rest.length > charactersMax) throw new Error(`an event of more than ${charactersMax} characters`);
    const events = blocks.flatMap(eventOf);
    if (events.length > 0) yield events;
  }
}

// A block without data is a comment that only keeps the connection open.
function eventOf(block: string): ServerEvent[] {
  const fields = block.split("\n").map(fieldOf);
  const all = (name: string): string[] => fields.filter((field) => field.name === name).map(({ value }) => value);
  const data = all("data");
  return data.length === 0
    ? []
    : [{ name: all("event").at(-1) ?? "message", id: all("id").at(-1), data: data.join("\n") }];
}

function fieldOf(line: string): { readonly name: string; readonly value: string } {
  const colon = line.indexOf(":");
  if (colon < 0) return { name: line, value: "" };
  return { name: line.slice(0, colon), value: line.slice(colon + 1).replace(/^ /, "") };
}
