import { expect, test } from "vitest";
import { PdctlError } from "../../../../src/contract/errors.ts";
import type { RequestDetail } from "../../../../src/contract/request-view.ts";
import { findRequest } from "../../../../src/daemon/api/find-request.ts";

function detail(id: string, room: string, clientId?: string): RequestDetail {
  return {
    request: {
      id,
      room,
      ...(clientId === undefined ? {} : { clientId }),
      stage: "decode",
      live: true,
      arrived: "2026-01-01T00:00:00.000Z",
      ageMs: 1,
      spans: [],
    },
    legs: [],
    unanswered: [],
  };
}

const details = [
  detail("abc1", "9223372036854775807"),
  detail("abc2", "12"),
  detail("abc", "13"),
  detail("ff", "14", "mine"),
];

function find(wanted: string, unanswered: string[] = []): RequestDetail {
  return findRequest({ details, unanswered }, wanted, "records are kept for a while");
}

test.each([
  { wanted: "abc1", id: "abc1", why: "its id" },
  { wanted: "abc", id: "abc", why: "its exact id, although others begin with it" },
  { wanted: "9223372036854775807", id: "abc1", why: "its room, to the last digit" },
  { wanted: "f", id: "ff", why: "a unique beginning" },
  { wanted: "mine", id: "ff", why: "the client's own id" },
  { wanted: "mi", id: "ff", why: "a unique beginning of the client's own id" },
])("a request is found by $why", ({ wanted, id }) => {
  expect(find(wanted).request.id).toBe(id);
});

test("a beginning that several share is refused with the list", () => {
  expect(() => find("ab")).toThrow(expect.objectContaining({ code: "request-ambiguous" }) as PdctlError);
  expect(() => find("ab")).toThrow(/abc1[\s\S]*abc2[\s\S]*abc/);
});

test("an unknown id says how long records are kept, and who did not answer", () => {
  expect(() => find("zzz")).toThrow("records are kept for a while");
  expect(() => find("zzz", ["decode"])).toThrow("decode did not answer");
  expect(() => find("9223372036854775808")).toThrow(PdctlError);
});
