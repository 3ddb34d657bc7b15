import { expect, test } from "vitest";
import { cacheFolder, fleetsFolder, modelsFolder, placesOf, socketPathTooLong } from "../../../src/lib/places.ts";

const user = { env: {}, home: "/home/ada", isRoot: false };
const root = { env: {}, home: "/root", isRoot: true };
const moved = { env: { PDCTL_HOME: "/srv/pd" }, home: "/home/ada", isRoot: false };

test.each([
  {
    who: "a user",
    around: user,
    socket: "/home/ada/.local/state/pdctl/demo/daemon.sock",
    state: "/home/ada/.local/state/pdctl/demo",
  },
  { who: "root", around: root, socket: "/run/pdctl/demo.sock", state: "/var/lib/pdctl/demo" },
  { who: "PDCTL_HOME", around: moved, socket: "/srv/pd/demo.sock", state: "/srv/pd/demo" },
])("the places of $who", ({ around, socket, state }) => {
  expect(placesOf("demo", around)).toEqual({
    fleet: "demo",
    socket,
    state,
    run: `${state}/run`,
    logs: `${state}/logs`,
    secret: `${state}/secret`,
    journal: `${state}/journal.db`,
    intent: `${state}/intent.json`,
    intents: `${state}/intents.log`,
    lock: `${state}/actor.lock`,
    saved: `${state}/fleet.json`,
    heartbeat: `${state}/run/daemon.heartbeat`,
    watchdogHeartbeat: `${state}/run/watchdog.heartbeat`,
  });
});

test("a socket that was asked for comes before PDCTL_SOCKET, and that before the usual one", () => {
  const around = { ...user, env: { PDCTL_SOCKET: "/a.sock" } };
  expect(placesOf("demo", around).socket).toBe("/a.sock");
  expect(placesOf("demo", around, "/b.sock").socket).toBe("/b.sock");
});

test("fleets and models have their folders", () => {
  expect(fleetsFolder(user)).toBe("/home/ada/.local/state/pdctl");
  expect(fleetsFolder(moved)).toBe("/srv/pd");
  expect(modelsFolder(user)).toBe("/home/ada/.cache/pdctl/models");
  expect(modelsFolder({ ...user, env: { XDG_CACHE_HOME: "/c" } })).toBe("/c/pdctl/models");
});

test("107 bytes are the longest socket path", () => {
  expect(socketPathTooLong("x".repeat(107))).toBe(false);
  expect(socketPathTooLong("x".repeat(108))).toBe(true);
  expect(socketPathTooLong("ä".repeat(54))).toBe(true);
});

test.each([
  { env: { XDG_CACHE_HOME: "/c", HOME: "/tmp/ada" }, folder: "/c/pdctl" },
  { env: { HOME: "/tmp/ada" }, folder: "/tmp/ada/.cache/pdctl" },
  { env: { XDG_CACHE_HOME: "", HOME: "" }, folder: "/home/ada/.cache/pdctl" },
  { env: {}, folder: "/home/ada/.cache/pdctl" },
])("with $env the cache is $folder", ({ env, folder }) => {
  expect(cacheFolder({ ...user, env })).toBe(folder);
  expect(modelsFolder({ ...user, env })).toBe(`${folder}/models`);
});
