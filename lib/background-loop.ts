/** Work that is repeated in the background. */
export interface BackgroundLoop {
  /** Ends the loop, after the run under way. */
  stop(): Promise<void>;
}

/**
 * Repeats `work` with a pause after each run until stopped.
 * @param work handles its own errors; its signal is aborted once the loop is stopped, so that a long run can end early
 */
export function startBackgroundLoop(pauseMs: number, work: (signal: AbortSignal) => Promise<void>): BackgroundLoop {
  const controller = new AbortController();
  const { signal } = controller;
  let wake: () => void = () => undefined;
  const repeat = async (): Promise<void> => {
    while (!signal.aborted) {
      await work(signal);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, pauseMs);
        // The loop alone does not keep a process running.
        timer.unref();
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
        if (signal.aborted) wake();
      });
    }
  };
  const running = repeat();
  return {
    async stop() {
      controller.abort();
      wake();
      await running;
    },
  };
}

/** The loops of a process, which end together. */
export class BackgroundLoops {
  private readonly loops: BackgroundLoop[] = [];

  /** Takes over a loop that is running. */
  add(loop: BackgroundLoop): void {
    this.loops.push(loop);
  }

  /** Ends the loops in the reverse order of their start. */
  async stop(): Promise<void> {
    for (const loop of this.loops.splice(0).reverse()) await loop.stop();
  }
}
