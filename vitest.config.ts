import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    disableConsoleIntercept: true,
    projects: [
      {
        extends: true,
        test: { name: "unit", include: ["test/unit/**/*.test.{ts,tsx}"], testTimeout: 30_000, hookTimeout: 30_000 },
      },
      {
        // Each file runs fleets of real engines: one file at a time, and time enough for a loaded machine.
        extends: true,
        test: {
          name: "e2e",
          include: ["test/e2e/**/*.test.ts"],
          fileParallelism: false,
          testTimeout: 300_000,
          hookTimeout: 300_000,
          teardownTimeout: 60_000,
        },
      },
    ],
  },
});
