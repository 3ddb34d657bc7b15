import type { Action } from "../../contract/action.ts";
import type { Wish } from "../../contract/wishes.ts";
import { mayCoRestart, mayStart } from "./budget.ts";
import { type Draft, numbered, settleOf } from "./draft.ts";
import { enginesAtWork, settling } from "./open.ts";
import { closedSet } from "./scope.ts";
import type { ProcessFact, Refused, Situation } from "./situation.ts";

/** What a person asked for as an action, or why not. Note each in the ledger before the next: its id counts on. */
export function operatorAction(wish: Wish, situation: Situation): Action | Refused {
  const answer = draftOf(wish, situation);
  if ("kind" in answer) return answer;
  const [action] = numbered([answer], situation);
  return action ?? refused("nothing came of it", "try again");
}

function draftOf(wish: Wish, situation: Situation): Draft | Refused {
  switch (wish.kind) {
    case "fail":
      return byHand({
        action: "fail",
        target: `request ${wish.request}`,
        why: wish.why,
        effect: "no engine holds it any more",
        requests: [wish.request],
      });
    case "stop":
      return byHand({
        action: "stop",
        target: "fleet",
        why: "asked for",
        effect: "no process of the fleet is left",
        drainMs: wish.drainMs,
        now: wish.now,
      });
    case "restart":
      return onEngine(wish.engine, situation, (process) => restart(process, wish, situation));
    case "drain":
      return onEngine(wish.engine, situation, (process) => drain(process, wish, situation));
    case "resume":
      return onEngine(wish.engine, situation, ({ name, generation }) =>
        byHand({
          action: "resume",
          target: `engine ${name}`,
          generation,
          why: "asked for",
          effect: "it takes requests",
        }),
      );
    case "co-restart":
      return coRestart(wish, situation);
  }
}

function byHand(draft: Omit<Draft, "by" | "settleMs"> & { readonly settleMs?: number }): Draft {
  return { settleMs: 0, ...draft, by: "operator" };
}

function refused(words: string, tryThis: string): Refused {
  return { kind: "refused", words, tryThis };
}

function onEngine(
  name: string,
  situation: Situation,
  then: (process: ProcessFact) => Draft | Refused,
): Draft | Refused {
  const process = situation.processes.find((one) => one.name === name);
  if (process === undefined) {
    const names = situation.processes.map((one) => one.name).join(", ");
    return refused(`The fleet has no engine ${name}; it has ${names}.`, "pdctl status");
  }
  if (situation.desired.wish === "down") return refused("The fleet is going down.", "pdctl up");
  if (settling(situation) || enginesAtWork(situation).has(process.name)) {
    return refused(`Something is being done to ${name} already.`, "pdctl events --follow; then try again");
  }
  return then(process);
}

type RestartWish = Extract<Wish, { kind: "restart" }>;

function restart(process: ProcessFact, { why, force }: RestartWish, situation: Situation): Draft | Refused {
  const { name, role, generation, attached, control } = process;
  if (attached && control !== true) {
    return refused(
      `${name} runs elsewhere and the configuration has no control commands for it.`,
      "restart it where it runs",
    );
  }
  if (!force && !mayStart(role === "router" ? "router" : name, situation)) {
    const { max } = situation.policy.restarts;
    return refused(
      `${name} has used up its restarts since it was last stable (policy.restarts.max: ${max}).`,
      `pdctl restart ${name} --force --yes`,
    );
  }
  return byHand({
    action: "restart",
    target: role === "router" ? "router" : `engine ${name}`,
    generation,
    why: why ?? "asked for",
    effect: "it comes up again, and a request goes through it",
    settleMs: settleOf([name], situation),
  });
}

type DrainWish = Extract<Wish, { kind: "drain" }>;

function drain(process: ProcessFact, { drainMs, force }: DrainWish, situation: Situation): Draft | Refused {
  const { name, role, generation } = process;
  const others = situation.processes.filter(
    (one) => one.name !== name && one.state === "ready" && (one.role === role || one.role === "both"),
  );
  if (!force && others.length === 0) {
    return refused(`No other ${role} engine would take requests.`, `pdctl drain ${name} --force`);
  }
  return byHand({
    action: "drain",
    target: `engine ${name}`,
    generation,
    why: "asked for",
    effect: "no new request reaches it, and what is on it ends",
    drainMs,
  });
}

type CoRestartWish = Extract<Wish, { kind: "co-restart" }>;

function coRestart(wish: CoRestartWish, situation: Situation): Draft | Refused {
  const engines = situation.processes.filter(({ role }) => role !== "router");
  const unknown = wish.engines.find((name) => !engines.some((one) => one.name === name));
  if (!wish.all && unknown !== undefined) {
    return refused(
      `The fleet has no engine ${unknown}; it has ${engines.map((one) => one.name).join(", ")}.`,
      "pdctl status",
    );
  }
  const names = wish.all ? engines.map(({ name }) => name) : closedSet(withPeers(wish.engines, engines), situation);
  if (names.length === 0) return refused("No engine was named.", "pdctl restart --co ENGINE, or --all");
  if (situation.desired.wish === "down") return refused("The fleet is going down.", "pdctl up");
  const atWork = enginesAtWork(situation);
  if (settling(situation) || names.some((name) => atWork.has(name))) {
    return refused("Something is being done to the fleet already.", "pdctl events --follow; then try again");
  }
  const foreign = engines.filter((one) => names.includes(one.name) && one.attached && one.control !== true);
  if (foreign.length > 0) {
    const list = foreign.map(({ name }) => name).join(", ");
    return refused(
      `Without control commands in the configuration ${list} cannot be restarted from here.`,
      "restart them where they run",
    );
  }
  if (!wish.force && !mayCoRestart(situation)) {
    const { max, window } = situation.policy["co-restarts"];
    const again = `pdctl restart --co ${wish.all ? "--all" : wish.engines.join(" ")} --force --yes`;
    return refused(`The co-restarts are used up (policy.co-restarts: ${max} in ${window / 60_000} minutes).`, again);
  }
  return byHand({
    action: "co-restart",
    target: wish.all ? "fleet" : targetOf(names),
    why: wish.why ?? "asked for",
    effect: "the engines come up together with a new epoch, and a request goes through them",
    settleMs: settleOf(names, situation),
    engines: [...names],
    requests: [],
  });
}

/** One engine alone cannot be co-restarted: the engines of the other role come with it. */
function withPeers(names: readonly string[], engines: readonly ProcessFact[]): readonly string[] {
  const roles = new Set(engines.filter(({ name }) => names.includes(name)).map(({ role }) => role));
  if (roles.size !== 1 || roles.has("both")) return names;
  return [...names, ...engines.filter(({ role }) => !roles.has(role) && role !== "both").map(({ name }) => name)];
}

function targetOf(names: readonly string[]): Draft["target"] {
  const [first, second] = names;
  return names.length === 2 ? `edge ${first}:${second}` : names.length === 1 ? `engine ${first}` : "fleet";
}
