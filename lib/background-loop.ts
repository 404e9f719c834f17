/** Work that is repeated in the background. */
export interface BackgroundLoop {
  /** Ends the loop, after the run under way. */
  stop(): Promise<void>;
}

/** Repeats `work` with a pause after each run until stopped. `work` handles its own errors. */
export function startBackgroundLoop(pauseMs: number, work: () => Promise<void>): BackgroundLoop {
  let stopped = false;
  let wake: () => void = () => undefined;
  const repeat = async (): Promise<void> => {
    while (!stopped) {
      await work();
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, pauseMs);
        // The loop alone does not keep a process running.
        timer.unref();
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
        if (stopped) wake();
      });
    }
  };
  const running = repeat();
  return {
    async stop() {
      stopped = true;
      wake();
      await running;
    },
  };
}

/** The loops of a process, which end together. */
export class BackgroundLoops {
  private readonly loops: BackgroundLoop[] = [];

  add(loop: BackgroundLoop): void {
    this.loops.push(loop);
  }

  /** Ends the loops in the reverse order of their start. */
  async stop(): Promise<void> {
    for (const loop of this.loops.splice(0).reverse()) await loop.stop();
  }
}
