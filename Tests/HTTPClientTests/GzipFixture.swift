import Core

/// A body of 100,000 bytes, and its much smaller gzip.
enum GzipFixture {
  static let plain = Data(repeating: UInt8(ascii: "a"), count: 100_000)
  static let compressed = Data(base64Encoded: encoded) ?? Data()

  private static let encoded = """
    H4sIAAAAAAACA+3BMQEAAADCoKzrX8IaHkABAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
    AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAArwaH+uIb\
    oIYBAA==
    """
}
