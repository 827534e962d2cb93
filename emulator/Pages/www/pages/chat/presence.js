// Presence: status/{uid} in the Realtime Database. The function mirrorPresence copies it to the user's profile, where
// others read it.

const time = { ".sv": "timestamp" };

/**
 * Keeps a user online as long as a connection is open. When it ends, even by a crash, the server sets the user offline;
 * the user's other phones then do the same for theirs.
 */
export function openPresence(socket, uid) {
  const path = ["status", uid];
  /** The conversation that the user has open and sees, or null. */
  let open = null;
  /** The user's presence in the database, or undefined as long as it is unknown. */
  let known;
  /** A Boolean value that indicates whether the end of this connection is prepared. */
  let isPrepared = false;
  let telling = 0;

  async function begin() {
    isPrepared = false;
    try {
      await socket.putAtEnd(path, { state: "offline", last_changed: time });
      isPrepared = true;
      await tell();
    } catch {
      // The next connection begins anew.
    }
  }

  async function tell() {
    if (!isPrepared) return;
    telling += 1;
    try {
      await socket.put(path, { state: "online", last_changed: time, ...(open !== null && { open }) });
    } finally {
      telling -= 1;
    }
    correct();
  }

  /** Tells again if another phone of this user has ended, or has closed its conversation. */
  function correct() {
    const isTold = known?.state === "online" && (open === null || known.open !== undefined);
    if (!isTold && known !== undefined && telling === 0) tell().catch(() => {});
  }

  const stops = [
    socket.onConnection(begin),
    socket.watch(path, (value) => {
      known = value;
      correct();
    }, () => (known = undefined)),
  ];

  return {
    /** Sets the conversation that the user has open and sees, or null. */
    show(conversationId) {
      if (conversationId === open) return;
      open = conversationId;
      tell().catch(() => {});
    },
    /** Ends this. The user is offline once the connection has ended. */
    close() {
      isPrepared = false;
      for (const stop of stops) stop();
    },
  };
}
