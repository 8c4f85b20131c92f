import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

const shown = 10;

/** Prints the test files that took longest, so that a file that has become slow is seen before the whole run is. */
export class SlowestFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length <= shown) return;
    const files = modules
      .map((module) => {
        const { collectDuration, duration } = module.diagnostic();
        return { file: relative('', module.moduleId), seconds: (collectDuration + duration) / 1_000 };
      })
      .sort((one, other) => other.seconds - one.seconds);
    const lines = files.slice(0, shown).map(({ file, seconds }) => `  ${seconds.toFixed(1).padStart(6)} s  ${file}`);
    console.log(`\nThe ${shown} slowest of ${files.length} files:\n${lines.join('\n')}\n`);
  }
}
