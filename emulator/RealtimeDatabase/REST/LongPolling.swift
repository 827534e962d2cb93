import Core
import HTTPService

/// The answer to Firebase's Web SDK when it falls back to long polling, which isn't supported.
///
/// After a WebSocket connection has failed, because the emulator or the network was gone, the SDK
/// remembers that in the page's storage, and from then on begins with long polling. It loads the
/// responses as scripts. This one makes it forget, and ends the attempt, so that the next one is a
/// WebSocket connection again.
///
/// Source: BrowserPollConnection.ts and WebSocketConnection.ts of Firebase's Web SDK.
enum LongPolling {
  /// - Throws: `UNIMPLEMENTED` for a request that isn't the first one of an attempt.
  static func response(to request: ServiceRequest) throws(StatusError) -> ServiceResponse {
    guard request[query: "start"] == "t", let callback = request[query: "cb"],
      (1...10).contains(callback.utf8.count),
      callback.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else {
      throw StatusError(
        .unimplemented,
        "long polling is not supported: Firebase's SDKs use it only where WebSockets fail"
      )
    }
    return ServiceResponse(
      headers: [
        ("content-type", "text/javascript; charset=utf-8"), ("cache-control", "no-store"),
      ],
      body: Data(
        """
        try { localStorage.removeItem("firebase:previous_websocket_failure"); } catch {}
        parent.window["pLPCommand\(callback)"]?.("close");

        """.utf8
      )
    )
  }
}
