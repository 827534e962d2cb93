// Repeated requests while the page is visible.

import { stream } from "./emulator.js";

/**
 * Calls work now, and again a number of milliseconds after it has ended. It pauses while the page is hidden or the
 * emulator doesn't respond, and resumes immediately afterwards.
 *
 * Returns {first, now, close}: first is the promise of the first call; now() calls work immediately and waits for it.
 * Errors are passed to onError.
 */
export function poll(work, { milliseconds = 2_000, onError = () => {} } = {}) {
  let timer;
  let running = null;
  let isClosed = false;

  async function run() {
    clearTimeout(timer);
    if (isClosed || document.hidden) return;
    try {
      await work();
    } catch (error) {
      // The shell already shows that the emulator can't be reached.
      if (error.status !== 0 && !isClosed) onError(error);
    }
    if (!isClosed && stream.isConnected) timer = setTimeout(begin, milliseconds);
  }

  function begin() {
    running ??= run().finally(() => (running = null));
    return running;
  }

  const onVisibility = () => !document.hidden && begin();
  document.addEventListener("visibilitychange", onVisibility);
  const endConnection = stream.onConnection(({ isConnected }) => {
    if (isConnected) begin();
    else clearTimeout(timer);
  });
  return {
    first: begin(),
    async now() {
      await running;
      await begin();
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", onVisibility);
      endConnection();
    },
  };
}

/**
 * Throttles a function to one call per interval. A call runs immediately if the last one is long ago; calls within an
 * interval are combined into one at its end. close() drops a pending call.
 */
export function sparingly(work, milliseconds = 2_000) {
  let last = -Infinity;
  let timer = null;
  function run() {
    timer = null;
    last = performance.now();
    work();
  }
  const call = () => {
    timer ??= setTimeout(run, Math.max(0, last + milliseconds - performance.now()));
  };
  call.close = () => clearTimeout(timer);
  return call;
}
