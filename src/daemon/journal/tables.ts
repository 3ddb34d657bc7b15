import type { DatabaseSync } from "node:sqlite";

/** Grows with each change of the tables; a file with another number is not read. */
const schemaVersion = 1;

const tables = `
create table events (id integer primary key, wall_ms real not null, kind text not null, subject text not null,
  line text not null) strict;
create table observations (id integer primary key, wall_ms real not null, target text not null, line text not null)
  strict;
create table verdicts (id integer primary key, wall_ms real not null, subject text not null, verdict text not null,
  cause text, line text not null) strict;
create table actions (id integer primary key, name text not null unique, boot text not null, wall_ms real not null,
  at_ms real not null, line text not null) strict;
create table outcomes (id integer primary key, action text not null unique, line text not null) strict;
create table incidents (id integer primary key, name text not null unique, ended text, line text not null) strict;
create table kept (name text primary key, value text not null) strict;
`;

/** The file is there and will never be read: another version wrote it, or it is broken. */
export class UnreadableError extends Error {
  override readonly name = "UnreadableError";
}

/** Makes the tables in a new file. Throws where the file is of another version, or is broken. */
export function makeTables(database: DatabaseSync): void {
  const found = numberOf(database, "pragma user_version", "user_version");
  if (found === schemaVersion) {
    checkWhole(database);
    return;
  }
  if (found !== 0 || numberOf(database, "select count(*) as n from sqlite_schema", "n") > 0) {
    throw new UnreadableError(`its schema is version ${found}, and this pdctl writes version ${schemaVersion}`);
  }
  database.exec(`begin; ${tables} pragma user_version = ${schemaVersion}; commit`);
}

function checkWhole(database: DatabaseSync): void {
  const found = database.prepare("pragma quick_check(1)").get()?.["quick_check"];
  if (found !== "ok") throw new UnreadableError(`it is damaged: ${String(found)}`);
}

/** The one number that a question is answered with. */
export function numberOf(database: DatabaseSync, question: string, column: string): number {
  return Number(database.prepare(question).get()?.[column]);
}
