// One event of an answer is far below it.
const lineCharactersMax = 1024 * 1024;

/** The data of each server-sent event of a stream of bytes. */
export async function* sseData(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const part of bytes) {
    const lines = (rest + decoder.decode(part, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > lineCharactersMax) throw new Error(`a line of more than ${lineCharactersMax} characters`);
    for (const line of lines) {
      if (line.startsWith("data:")) yield line.slice("data:".length).trim();
    }
  }
}
