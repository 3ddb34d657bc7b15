import { expect, test } from "vitest";
import { pageOf, readPage } from "../../../src/contract/error-page.ts";
import { PdctlError } from "../../../src/contract/errors.ts";

test.each([
  { message: "Port 8000 is in use.", tryThis: "another port" },
  { message: "It ended.\n  | one\n  | two", tryThis: "read the log,\nthen try again" },
  { message: "Without a hint.", tryThis: "" },
])("the page of an error is read back from the last words of a process", ({ message, tryThis }) => {
  const page = pageOf(new PdctlError("port-in-use", message, tryThis));
  const found = readPage(["Error: an earlier one that was mended", "serving", ...page.trimEnd().split("\n")]);
  expect(found).toMatchObject({ code: "port-in-use", message, tryThis });
});

test.each([
  { why: "no page", lines: ["serving", "Segmentation fault"] },
  { why: "a page that was cut", lines: ["Error: the disk is full"] },
  { why: "a code of another version", lines: ["Error: new", "  (brand-new)"] },
  { why: "nothing", lines: [] },
])("$why is no error page", ({ lines }) => {
  expect(readPage(lines)).toBeUndefined();
});
