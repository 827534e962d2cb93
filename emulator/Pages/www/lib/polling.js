// Asking again and again, as long as somebody looks.

import { stream } from "./emulator.js";

/**
 * Calls work now, and again so many milliseconds after it has ended: not while the page is hidden or the
 * emulator doesn't answer, and at once when either is over.
 *
 * Returns {first, now, close}: first is the first asking, now() asks at once and waits for the answer.
 * What fails is told to onError.
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
      // That the emulator is away is said above the page.
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
 * The same function, run no more often than every so many milliseconds: at once if that is long ago, and
 * once more afterwards for all calls in between. close() forgets what was to come.
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
