/** What the id of every canary begins with, as its client sends it: people see it in `reqs`. */
export const canaryPrefix = "canary-";
