import type { Verdict } from "../../../contract/verdict.ts";
import type { Deaf, Track } from "../history.ts";
import { cpuShare, cpuShareIdle } from "../silence.ts";
import { isLoading } from "../start.ts";
import { engineSubject, ofLife, type Rule, say, type View } from "../view.ts";
import { seconds } from "../words.ts";

/**
 * wedge(loop-hang): it does not answer, the kernel or its own loop say that it does nothing, and nothing comes of it at
 * its peers. One that does not answer and computes is busy. Without a local fact it is not judged here.
 */
export const loopHang: Rule = (view) =>
  [...view.history.tracks.values()].flatMap((track) => deafness(track, view) ?? standstill(track, view) ?? []);

const gpuBusy = 0.05;

function deafness(track: Track, view: View): Verdict | undefined {
  const { deaf } = track;
  if (deaf === undefined || isLoading(track)) return undefined;
  const share = cpuShare(deaf);
  const frozen = stoppedWords(deaf);
  const forMs = deaf.stall.ms;
  if (frozen === undefined && share === undefined) return undefined;
  const words = `probes have timed out for ${seconds(forMs)}`;
  if (frozen === undefined && share !== undefined && share >= cpuShareIdle)
    return computing(track, view, { words, share });
  if (forMs < view.policy.suspect) return undefined;
  const alive = lifeElsewhere(track, view);
  if (alive !== undefined) return undefined;
  const local = frozen ?? `its process took ${((share ?? 0) * 100).toFixed(1)} % of a CPU meanwhile`;
  return hung(track, view, { forMs, sinceMs: deaf.stall.sinceMs, evidence: [`${words} and ${local}`] });
}

/** T: stopped by a signal or a debugger. D: in the kernel, where no signal reaches it. */
function stoppedWords({ procState }: Deaf): string | undefined {
  if (procState === "T" || procState === "t") return "its process is stopped (state T)";
  return procState === "D" ? "its process hangs in the kernel (state D)" : undefined;
}

function computing(track: Track, view: View, { words, share }: { words: string; share: number }): Verdict {
  return say(view, {
    subject: engineSubject(track),
    verdict: "busy",
    ...(track.who.role === "prefill" ? { cause: "prefill" as const } : {}),
    sinceMs: track.deaf?.stall.sinceMs ?? view.nowMs,
    evidence: [`${words}, but its process takes ${(share * 100).toFixed(0)} % of a CPU`],
    ruledOut: [{ cause: "loop-hang", by: "it computes" }],
    moving: true,
    ...ofLife(track),
  });
}

/** A sign of life that needs no answer of it: its GPU, or transfers that only it can have taken part in. */
function lifeElsewhere(track: Track, { history, nowMs }: View): string | undefined {
  const { deaf, who } = track;
  if ((deaf?.gpuUtil ?? 0) >= gpuBusy) return "its GPU is busy";
  const tracks = [...history.tracks.values()];
  if (tracks.some((one) => one.who.id !== who.id && one.who.role === who.role)) return undefined;
  const peers = tracks.filter((one) => one.who.role !== who.role && one.who.role !== "router");
  const sinceMs = deaf?.stall.sinceMs ?? nowMs;
  const moved = peers.some(({ moves }) =>
    [moves.transfer_bytes_total, moves.transfers_completed_total].some(
      (move) => move !== undefined && move.atMs > sinceMs,
    ),
  );
  return moved ? "transfers with it go on" : undefined;
}

/** It answers, but by another thread: the loop that does the work has not turned although it was called. */
function standstill(track: Track, view: View): Verdict | undefined {
  const { turning, latest, still } = track;
  const ageMs = (latest?.loop_age_s ?? 0) * 1_000;
  if (turning === undefined || turning.steps === undefined || ageMs < view.policy.suspect) return undefined;
  const forMs = Math.min(ageMs, turning.stall.ms, still.ms);
  const share = cpuShare(turning);
  if (forMs < view.policy.suspect || (share !== undefined && share >= cpuShareIdle)) return undefined;
  const cpu = share === undefined ? "" : `, and its process took ${(share * 100).toFixed(1)} % of a CPU meanwhile`;
  const evidence = [`its loop has not turned for ${seconds(ageMs)}: step ${turning.steps} is still its latest${cpu}`];
  return hung(track, view, { forMs, sinceMs: turning.stall.sinceMs, evidence });
}

type Hung = { readonly forMs: number; readonly sinceMs: number; readonly evidence: string[] };

function hung(track: Track, view: View, { forMs, sinceMs, evidence }: Hung): Verdict {
  const isWedge = forMs >= view.policy.wedge;
  const gpu = track.deaf?.gpuUtil;
  return say(view, {
    subject: engineSubject(track),
    verdict: isWedge ? "wedge" : "suspect",
    cause: isWedge ? "loop-hang" : "no-progress",
    sinceMs,
    evidence,
    ruledOut: [
      {
        cause: "compute",
        by: gpu === undefined ? "its process takes no CPU" : `its GPU is at ${Math.round(gpu * 100)} %`,
      },
      { cause: "exited", by: "its process is there" },
      { cause: "transfer-stall", by: "no transfer with it has moved since, and it is the end that does not answer" },
    ],
    fresh: track.heardMs !== undefined && view.nowMs - track.heardMs <= view.gapMs,
    requests: (track.latest?.requests ?? []).map(({ id }) => id),
    ...ofLife(track),
    ...(track.who.role === "router" ? {} : { guilty: track.who.id }),
  });
}
