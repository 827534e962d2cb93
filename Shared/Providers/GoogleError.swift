import Core
import HTTPClient

/// The error of a Google API, with the fields that determine how to handle the error.
///
/// The body may be HTML (a 502 of a proxy) or empty; then only the status is known. The message may
/// contain parts of the request, so callers never see it.
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
    /// The FCM error code, from FcmError.
    var errorCode: String?
    /// The reason from google.rpc.ErrorInfo.
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

  /// The reasons from `errors` and `details`. Google's APIs use either.
  var reasons: Set<String> {
    Set(
      (error.errors ?? []).compactMap(\.reason) + (error.details ?? []).compactMap(\.reason)
    )
  }
}
