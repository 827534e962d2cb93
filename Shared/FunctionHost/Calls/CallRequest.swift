package import Core
package import Cryptography
package import HTTPService

/// A call of a function that arrived over HTTP, in the format that the function reads from stdin.
///
/// It is assembled from the received bytes without encoding them again, so that numbers keep every
/// digit.
package struct CallRequest: Sendable {
  /// The format of the request's and the response's body.
  package enum Form: Sendable {
    /// Firebase's callable protocol: the request is `{"data":…}`, the response `{"result":…}` or
    /// `{"error":…}`.
    case callable
    /// The request is only the data, the response only the result.
    case bare

    /// Creates the format of a body with some fields: no function's data has a field `data`.
    package init(ofBody members: [ByteKey: JSONValue]) {
      self = members["data"] == nil ? .bare : .callable
    }
  }

  /// The call as JSON: `{"data":…}`, with `auth` beside it if the caller is signed in.
  package let event: Data

  /// Creates a call from a request.
  ///
  /// - Parameters:
  ///   - form: The format of the body.
  ///   - caller: The verified caller, or `nil` for an anonymous call. The body can't name a caller.
  /// - Throws: `INVALID_ARGUMENT` for a body in another format.
  package init(
    _ request: ServiceRequest,
    form: Form,
    caller: CallerIdentity?
  ) throws(StatusError) {
    try request.refuseRepeated("content-type")
    let members = try JSONValue(unambiguous: request.body)?.object
    switch form {
    case .callable:
      guard request.headers["content-type"]?.mediaType == "application/json" else {
        throw StatusError(.invalidArgument, "a call's content type must be application/json")
      }
      guard let members, members.keys.sorted() == ["data"] else {
        throw StatusError(.invalidArgument, "a call's body must be {\"data\":…} and nothing else")
      }
      let end = request.body.lastIndex(of: UInt8(ascii: "}")) ?? request.body.endIndex
      event = request.body[..<end] + Self.auth(caller) + Data("}".utf8)
    case .bare:
      guard members != nil else {
        throw StatusError(.invalidArgument, "the body is not a JSON object")
      }
      event =
        Data(#"{"data":"#.utf8) + request.body.withoutByteOrderMark + Self.auth(caller)
        + Data("}".utf8)
    }
  }

  /// Returns the field `auth` of the callable protocol: the user's ID and all claims of the token.
  private static func auth(_ caller: CallerIdentity?) -> Data {
    guard let caller, let uid = try? JSON.encode(caller.uid) else { return Data() }
    return Data(#","auth":{"uid":"#.utf8) + uid + Data(#","token":"#.utf8) + caller.claims
      + Data("}".utf8)
  }
}
