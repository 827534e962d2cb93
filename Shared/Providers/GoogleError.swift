import Core
import HTTPClient

/// The error of a Google API, with the members that decide what to do about it.
///
/// Bodies may be HTML (a 502 of a proxy) or empty: then only the status is known. The message
/// may echo what was sent, so it is never passed on.
struct GoogleError: Decodable {
  struct Body: Decodable {
    var status: String?
    var message: String?
    var errors: [Reason]?
    var details: [Detail]?
  }

  struct Reason: Decodable {
    var reason: String?
  }

  struct Detail: Decodable {
    /// FCM's own code, of FcmError.
    var errorCode: String?
    /// The reason of google.rpc.ErrorInfo.
    var reason: String?
    var fieldViolations: [FieldViolation]?
  }

  struct FieldViolation: Decodable {
    var field: String?
  }

  var error: Body

  init?(_ response: HTTPResponse) {
    guard let parsed = try? JSON.decode(Self.self, from: response.body, what: "the error")
    else { return nil }
    self = parsed
  }

  /// All the reasons given, in either place.
  var reasons: Set<String> {
    Set(
      (error.errors ?? []).compactMap(\.reason) + (error.details ?? []).compactMap(\.reason)
    )
  }
}
