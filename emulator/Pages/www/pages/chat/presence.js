// Presence: status/{uid} in the Realtime Database. The function mirrorPresence copies it to the user's profile, where
// others read it.

const time = { ".sv": "timestamp" };

/**
 * Keeps a user online as long as a connection is open. When it ends, even by a crash, the server sets the user offline.
 * The user's other phones then set the user online again.
 */
export function openPresence(socket, uid) {
  const path = ["status", uid];
  /** The conversation that the user has open and sees, or null. */
  let open = null;
  /** The user's presence in the database, or undefined as long as it is unknown. */
  let stored;
  /** A Boolean value that indicates whether the server will set the user offline at the end of this connection. */
  let isPrepared = false;
  let unfinishedWrites = 0;

  async function prepare() {
    isPrepared = false;
    try {
      await socket.putAtEnd(path, { state: "offline", last_changed: time });
      isPrepared = true;
      await write();
    } catch {
      // The next connection prepares again.
    }
  }

  async function write() {
    if (!isPrepared) return;
    unfinishedWrites += 1;
    try {
      await socket.put(path, { state: "online", last_changed: time, ...(open !== null && { open }) });
    } finally {
      unfinishedWrites -= 1;
    }
    correct();
  }

  /** Writes again if another phone of this user has ended, or has closed its conversation. */
  function correct() {
    const isCorrect = stored?.state === "online" && (open === null || stored.open !== undefined);
    if (!isCorrect && stored !== undefined && unfinishedWrites === 0) write().catch(() => {});
  }

  const stops = [
    socket.onConnection(prepare),
    socket.watch(path, (value) => {
      stored = value;
      correct();
    }, () => (stored = undefined)),
  ];

  return {
    /** Sets the conversation that the user has open and sees, or null. */
    show(conversationId) {
      if (conversationId === open) return;
      open = conversationId;
      write().catch(() => {});
    },
    /** Ends the presence. The user is offline once the connection has ended. */
    close() {
      isPrepared = false;
      for (const stop of stops) stop();
    },
  };
}
