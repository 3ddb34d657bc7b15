import { type Ready, readySchema } from "../contract/launch.ts";
import { jsonIn } from "../lib/json-in.ts";

/** What a process wrote when it became ready; undefined while it has not, or where the file was cut or overwritten. */
export function readyOf(file: string): Ready | undefined {
  return readySchema.safeParse(jsonIn(file)).data;
}
