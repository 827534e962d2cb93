import Core
package import Cryptography
import FirestoreModel
import HTTPService
import Synchronization

/// The service account whose signed URLs are accepted: the one whose key file the emulator gives to
/// functions and to the command of `exec`.
///
/// Source: Cloud Storage's pages "Signed URLs" and "V4 signing process".
package final class SigningKeys: Sendable {
  private static let algorithm = "GOOG4-RSA-SHA256"
  /// The maximum time in seconds for which a URL is valid.
  private static let maximumLifetime: Int64 = 7 * 24 * 3_600
  /// The time in seconds by which a client's clock may be ahead.
  private static let tolerance: Int64 = 15 * 60

  private let key = Mutex<RSAKey?>(nil)

  package init() {}

  package func install(_ key: RSAKey) { self.key.withLock { $0 = key } }

  /// Checks the signature of a request. A request without one is an administrator's.
  ///
  /// - Throws: An error with the status 403 if the signature isn't valid, or 400 if it has expired
  ///   or is incomplete.
  func check(_ request: ServiceRequest, at time: Timestamp) throws(StorageError) {
    guard request[query: "X-Goog-Signature"] != nil || request[query: "X-Goog-Algorithm"] != nil
    else {
      if request[query: "Signature"] != nil {
        throw .notEmulated("signed URLs of version 2 are")
      }
      return
    }
    guard request[query: "X-Goog-Algorithm"] == Self.algorithm else {
      throw .notEmulated("signed URLs with another algorithm than \(Self.algorithm) are")
    }
    guard let date = request[query: "X-Goog-Date"], let signed = Self.time(date),
      let lifetime = request[query: "X-Goog-Expires"].flatMap({ Int64($0) }),
      let credential = request[query: "X-Goog-Credential"],
      let signature = request[query: "X-Goog-Signature"].flatMap(Self.bytes),
      (1...Self.maximumLifetime).contains(lifetime)
    else { throw .malformedSignature }
    guard time.seconds >= signed - Self.tolerance, time.seconds < signed + lifetime else {
      throw StorageError(
        400,
        "expiredToken",
        "Invalid argument: the signed URL has expired, or isn't valid yet.",
        code: .invalidArgument
      )
    }
    let scope = credential.split(separator: "/").dropFirst().joined(separator: "/")
    let canonical = try Self.canonicalRequest(request)
    let text = [Self.algorithm, date, scope, SHA256.hexadecimal(canonical.utf8)]
      .joined(separator: "\n")
    guard let key = key.withLock({ $0 }), key.verifies(signature, of: Data(text.utf8)) else {
      throw StorageError(
        403,
        "signatureDoesNotMatch",
        "The request signature doesn't match. The emulator accepts URLs that are signed with the key "
          + "file of its own run, which GOOGLE_APPLICATION_CREDENTIALS names.",
        code: .permissionDenied
      )
    }
  }

  private static func canonicalRequest(
    _ request: ServiceRequest
  ) throws(StorageError) -> String {
    guard let names = request[query: "X-Goog-SignedHeaders"] else { throw .malformedSignature }
    let signed = Set(names.split(separator: ";").map(String.init))
    guard request.headers.keys.allSatisfy({ !$0.hasPrefix("x-goog-") || signed.contains($0) })
    else {
      throw StorageError(
        400,
        "headersNotSigned",
        "A header that begins with x-goog- isn't signed.",
        code: .invalidArgument
      )
    }
    var headers = ""
    for name in names.split(separator: ";").map(String.init) {
      let value = name == "host" ? request.authority : request.headers[name]
      guard let value else { throw .malformedSignature }
      headers += "\(name):\(value.split(separator: " ").joined(separator: " "))\n"
    }
    let fields = request.query.filter { $0.name != "X-Goog-Signature" }
      .map { (PercentEncoding.encode($0.name), PercentEncoding.encode($0.value)) }
      .sorted { ($0.0, $0.1) < ($1.0, $1.1) }
    let path = String(request.target.prefix { $0 != "?" })
    return [
      request.isHead ? "HEAD" : request.method, path,
      fields.map { "\($0)=\($1)" }.joined(separator: "&"), headers, names,
      request.headers["x-goog-content-sha256"] ?? "UNSIGNED-PAYLOAD",
    ].joined(separator: "\n")
  }

  /// Returns the seconds since 1970 of a text such as `20261128T101500Z`.
  private static func time(_ text: String) -> Int64? {
    let bytes = Array(text.utf8)
    guard bytes.count == 16 else { return nil }
    let parts = [0..<4, 4..<6, 6..<8, 9..<11, 11..<13, 13..<15].map {
      String(decoding: bytes[$0], as: UTF8.self)
    }
    let time = "\(parts[0])-\(parts[1])-\(parts[2])T\(parts[3]):\(parts[4]):\(parts[5])Z"
    return try? Timestamp(time).seconds
  }

  /// Returns the bytes of a text with two hexadecimal digits for each, or `nil` for another text.
  private static func bytes(_ text: String) -> Data? {
    let digits = Array(text.utf8)
    guard digits.count.isMultiple(of: 2), digits.count <= 2_048 else { return nil }
    var bytes = Data()
    for index in stride(from: 0, to: digits.count, by: 2) {
      let pair = String(decoding: digits[index..<index + 2], as: UTF8.self)
      guard let byte = UInt8(pair, radix: 16) else { return nil }
      bytes.append(byte)
    }
    return bytes
  }
}

extension StorageError {
  fileprivate static let malformedSignature = StorageError(
    400,
    "malformedSignature",
    "The signed URL is incomplete: it needs X-Goog-Algorithm, -Credential, -Date, -Expires, "
      + "-SignedHeaders and -Signature, and the signed headers.",
    code: .invalidArgument
  )
}
