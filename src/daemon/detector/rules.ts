import { exited } from "./rules/exited.ts";
import { noData } from "./rules/no-data.ts";
import { well } from "./rules/well.ts";
import type { Rule } from "./view.ts";

/** Every rule, in the order in which they speak: what is over, then causes, then consequences, then what is well. */
export const rules: readonly Rule[] = [exited, noData, well];
