package import Core
package import HTTPService

/// A call of a function over HTTP, as the function reads it from stdin.
///
/// Put together from the bytes that came in: numbers keep every digit.
package struct CallRequest: Sendable {
  /// How the body is written, and the answer will be.
  package enum Form: Sendable {
    /// Firebase's protocol: `{"data":…}`, answered with `{"result":…}` or `{"error":…}`.
    case callable
    /// The data alone, answered with the result alone.
    case bare
  }

  /// `{"data":…}`, with `auth` beside it if somebody is signed in.
  package let event: Data

  /// - Parameter form: what of a caller the body itself may say: nothing, in either.
  /// - Throws: `INVALID_ARGUMENT` for a body of another form.
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
        throw StatusError(.invalidArgument, "a call's content type is application/json")
      }
      guard let members, members.keys.sorted() == ["data"] else {
        throw StatusError(.invalidArgument, "a call's body is {\"data\":…}, nothing else")
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

  /// `auth` as the callable protocol has it: the user's id, and every claim of the token.
  private static func auth(_ caller: CallerIdentity?) -> Data {
    guard let caller, let uid = try? JSON.encode(caller.uid) else { return Data() }
    return Data(#","auth":{"uid":"#.utf8) + uid + Data(#","token":"#.utf8) + caller.claims
      + Data("}".utf8)
  }
}
