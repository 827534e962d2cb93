/// A source of random IDs and codes.
struct RandomText: Sendable {
  private static let alphanumerics = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8
  )
  private static let digits = Array("0123456789".utf8)
  private static let base64URL = alphanumerics + Array("_-".utf8)

  let random: @Sendable () -> UInt64

  /// Returns letters and digits, as in user IDs.
  func alphanumeric(_ count: Int) -> String { text(count, of: Self.alphanumerics) }

  /// Returns characters of the alphabet of base64url, as in out-of-band codes.
  func base64URL(_ count: Int) -> String { text(count, of: Self.base64URL) }

  /// Returns digits, as in codes for phones.
  func digits(_ count: Int) -> String { text(count, of: Self.digits) }

  private func text(_ count: Int, of alphabet: [UInt8]) -> String {
    String(
      decoding: (0..<count).map { _ in
        // The alphabets have at most 64 of 2⁶⁴ values, so the bias is negligible.
        alphabet[Int(random() % UInt64(alphabet.count))]
      },
      as: UTF8.self
    )
  }
}
