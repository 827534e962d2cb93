import Calls
import HTTPService
import RPCStatus

/// Finds out who calls.
protocol CallAuthentication: Sendable {
  /// - Parameter headers: names in lower case.
  /// - Returns: nil for nobody in particular.
  /// - Throws: `UNAUTHENTICATED` for a token that doesn't hold.
  func caller(of headers: [String: String]) async throws(StatusError) -> CallerIdentity?
}

/// Takes the tokens of Firebase's Auth emulator, which nobody has signed: for demonstrations.
struct UnsignedTokens: CallAuthentication {
  func caller(of headers: [String: String]) throws(StatusError) -> CallerIdentity? {
    guard let token = headers["authorization"]?.bearerToken else { return nil }
    return CallerIdentity(try UnsignedToken(token))
  }
}

/// Believes nobody: a token can't be verified here.
struct NoTokens: CallAuthentication {
  func caller(of headers: [String: String]) throws(StatusError) -> CallerIdentity? {
    guard headers["authorization"] == nil else {
      throw StatusError(.unimplemented, "ID tokens are not verified here yet; call without one")
    }
    return nil
  }
}
