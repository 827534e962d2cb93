import Core

/// A body that is small only while it is compressed.
enum GzipFixture {
  static let plain = Data(repeating: UInt8(ascii: "a"), count: 100_000)
  static let compressed = Data(base64Encoded: encoded) ?? Data()

  private static let encoded = """
    H4sIAAAAAAACA+3BMQEAAADCoKzrX8IaHkABAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
    AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAArwaH+uIb\
    oIYBAA==
    """
}
