import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    exclude: ["**/node_modules/**", "**/fixtures/**", "dist/**"],
    setupFiles: ["test/setup.ts"],
    pool: "forks",
    maxWorkers: 2,
    // A loaded two-core machine needs seconds to start a child process.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    restoreMocks: true,
  },
});
